package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is exported can be imported, and nothing of it is lost. */
class ExportRoundTripTest {
  private static final String WINDOW =
      "'windows':[{'name':'ever','schedule':'all-time','prizes':["
          + "{'name':'gold, \\u00e9','from':1,'to':2},{'name':'half','percent':50}]}]";

  @TempDir Path folder = Path.of("");

  private static final List<String> IDS =
      List.of(
          "ada",
          "=cmd",
          "a,b",
          " before",
          "after ",
          "\"q\"",
          "o'neil",
          "ünï-😀",
          "'",
          "x\"y",
          "-1+1",
          "+49",
          "@SUM(A1)",
          "'=cmd",
          "''=cmd",
          "＝wide",
          "a;=cmd",
          "''");

  private static void fill(Api api, String board) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 2_500; i++) {
      String id = i < IDS.size() ? IDS.get(i) : "u" + i * 7919 % 2_500;
      String metadata =
          switch (i % 4) {
            case 0 -> "";
            case 1 -> ",\"metadata\":{}";
            case 2 ->
                ",\"metadata\":{\n \"rank\": 1,\r\n \"text\": \"a,\\\"b\\\"\\n\u00fc\",\n \"n\": 1e2 }";
            default -> ",\"metadata\":{\"deep\":{\"prize\":[1,2.50,null]}}";
          };
      // Many equal scores and times: ids decide.
      lines
          .append(i % 1000 == 0 ? "" : ",")
          .append("{\"userId\":\"")
          .append(id.replace("\"", "\\\""))
          .append("\",\"score\":")
          .append(i % 5 == 0 ? "90071992547409.93" : (i % 50) + ".10")
          .append(",\"timestamp\":\"2026-01-01T00:00:0")
          .append(i % 3)
          .append(".00")
          .append(i % 2)
          .append("Z\"")
          .append(metadata)
          .append('}');
      if (i % 1000 == 999 || i == 2_499) {
        api.raw("POST", board + "/scores", "{\"scores\":[" + lines + "]}").is(200);
        lines.setLength(0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl"})
  void export_importedIntoAnEmptyServer_isExportedWithTheSameBytes(String format)
      throws IOException {
    try (TestServer from = TestServer.start();
        TestServer to = TestServer.start()) {
      fill(Api.admin(from), Api.admin(from).board("old", "'decimals':2", "'update':'SUM'", WINDOW));
      Api.admin(to).board("new", "'decimals':2", "'update':'SUM'", WINDOW);
      String file = "rows." + format;
      Cli out =
          Cli.run(from, folder, "export", "--board", "old", "--format", format, "--output", file);
      assertThat(out.code()).as(out.err()).isZero();
      Cli in = Cli.run(to, folder, "import", file, "--board", "new");
      assertThat(in.code()).as(in.err()).isZero();
      assertThat(in.out()).contains("2,500 applied");
      Cli.run(to, folder, "export", "--board", "new", "--format", format, "--output", "again");
      assertThat(folder.resolve("again")).hasSameBinaryContentAs(folder.resolve(file));
      assertThat(Files.readString(folder.resolve(file)))
          .contains("gold, é", "90071992547409.93", "ünï-😀");
      Answer rank = Api.admin(to).get(Api.BOARDS + "/new/users/a%2Cb/rank").is(200);
      assertThat(rank.at("/metadata/text")).isEqualTo("a,\"b\"\nü");
      assertThat(Cli.run(to, folder, "verify", "new").code()).isZero();
    }
  }

  @Test
  void export_csvOfIdsThatAreFormulas_isSafeByDefaultAndComesBackExactly() throws IOException {
    try (TestServer from = TestServer.start();
        TestServer to = TestServer.start()) {
      Api api = Api.admin(from);
      String board = api.board("b", "'decimals':0", "'bounds':{'min':-9}");
      List<String> ids = List.of("=1+1", "'=1+1", "''@x", "-2", "+3", "@x", "a;=1", "'quoted'");
      for (String id : ids) {
        api.score(board, id, "'score':-" + (1 + ids.indexOf(id))).is(200);
      }
      done(Cli.run(from, folder, "export", "--board", "b", "--output", "safe.csv"));
      assertThat(Files.readString(folder.resolve("safe.csv")).lines().skip(1))
          .allMatch(line -> !"=+-@".contains(line.substring(0, 1)))
          .anyMatch(line -> line.startsWith("'=1+1,1,-1,"))
          .anyMatch(line -> line.startsWith("''=1+1,2,-2,"))
          .anyMatch(line -> line.startsWith("\"a;=1\",7,-7,"));
      done(
          Cli.run(
              from,
              folder,
              "export",
              "--board",
              "b",
              "--spreadsheet=false",
              "--output",
              "as-is.csv"));
      assertThat(Files.readString(folder.resolve("as-is.csv")).lines())
          .anyMatch(line -> line.startsWith("=1+1,1,-1,"))
          .anyMatch(line -> line.startsWith("'=1+1,2,-2,"));
      Api copies = Api.admin(to);
      String one = copies.board("one", "'decimals':0", "'bounds':{'min':-9}");
      String two = copies.board("two", "'decimals':0", "'bounds':{'min':-9}");
      done(Cli.run(to, folder, "import", "safe.csv", "--board", "one"));
      done(Cli.run(to, folder, "import", "as-is.csv", "--spreadsheet=false", "--board", "two"));
      assertThat(copies.get(one + "/top?limit=20").is(200).all("/users", "userId")).isEqualTo(ids);
      assertThat(copies.get(two + "/top?limit=20").is(200).all("/users", "userId")).isEqualTo(ids);
      done(Cli.run(to, folder, "export", "--board", "one", "--output", "again.csv"));
      assertThat(folder.resolve("again.csv")).hasSameBinaryContentAs(folder.resolve("safe.csv"));
    }
  }

  /** {@code benchmarks/round-trip} does it with a million. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl"})
  void export_ofManyRows_isARoundTrip(String format) throws IOException {
    int rows = Integer.getInteger("laurel.roundtrip.rows", 5_000);
    try (var out = Files.newBufferedWriter(folder.resolve("made.jsonl"))) {
      for (int i = 0; i < rows; i++) {
        out.write(
            "{\"userId\":\"player-%d\",\"score\":%d.%02d,\"timestamp\":\"2026-01-%02dT%02d:00:00Z\",\"metadata\":{\"hero\":\"%s\",\"n\":[%d,%d.5]}}\n"
                .formatted(
                    i,
                    i % 5000,
                    i % 100,
                    1 + i % 28,
                    i % 24,
                    i % 7 == 0 ? "elf, \\\"x\\\"" : "orc",
                    i,
                    i));
      }
    }
    try (TestServer from = TestServer.start();
        TestServer to = TestServer.start()) {
      for (TestServer each : List.of(from, to)) {
        Api.admin(each).board("b", "'decimals':2", "'update':'SUM'", WINDOW);
      }
      done(Cli.run(from, folder, "import", "made.jsonl", "--board", "b"));
      done(
          Cli.run(
              from,
              folder,
              "export",
              "--board",
              "b",
              "--format",
              format,
              "--output",
              "one." + format));
      done(Cli.run(to, folder, "import", "one." + format, "--board", "b", "--parallel", "4"));
      done(Cli.run(to, folder, "export", "--board", "b", "--format", format, "--output", "two"));
      assertThat(Files.mismatch(folder.resolve("one." + format), folder.resolve("two")))
          .isEqualTo(-1);
      for (TestServer each : List.of(from, to)) {
        done(Cli.run(each, folder, "verify", "b"));
      }
    }
  }

  private static void done(Cli run) {
    assertThat(run.code()).as(run.err()).isZero();
    System.out.print(run.out());
  }

  @Test
  void import_metadataOfACsvThatIsNoObject_isRefusedAlone() throws IOException {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board = api.board("b", "'decimals':0");
      Files.writeString(
          folder.resolve("x.csv"),
          "userId,score,metadata\nann,1,\"{\"\"a\"\":1},\"\"score\"\":999\"\nbob,2,[1]\ncem,3,{}\n");
      Cli run = Cli.run(server, folder, "import", "x.csv", "--board", "b");
      assertThat(run.out()).contains("1 applied", "2 rejected");
      assertThat(run.err()).contains("line 2: MALFORMED_JSON: metadata", "line 3: ");
      api.get(board + "/users/ann/rank").is(404);
    }
  }

  @Test
  void prizes_ofMoreThanTenThousandWinners_areAllThere() {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board =
          api.board(
              "crowd",
              "'decimals':0",
              "'windows':[{'name':'ever','schedule':'all-time','prizes':[{'name':'gold','from':1,'to':1},"
                  + "{'name':'all','percent':100}]}]");
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 10_500; i++) {
        lines.append(lines.isEmpty() ? "" : ",");
        lines.append("{\"userId\":\"u").append(i).append("\",\"score\":").append(i).append('}');
        if (i % 1000 == 999 || i == 10_499) {
          api.raw("POST", board + "/scores", "{\"scores\":[" + lines + "]}").is(200);
          lines.setLength(0);
        }
      }
      Answer first = api.get(board + "/prizes").is(200);
      assertThat(first.at("/totalWinners")).isEqualTo("10500");
      assertThat(first.at("/nextOffset")).isEqualTo("10000");
      Answer rest = api.get(board + "/prizes?offset=10000").is(200);
      assertThat(rest.json().get("tiers").get(0).get("winners")).isEmpty();
      assertThat(rest.json().get("tiers").get(1).get("winners")).hasSize(500);
      assertThat(rest.at("/tiers/1/winners/499/userId")).isEqualTo("u0");
      assertThat(rest.json().has("nextOffset")).isFalse();
      api.get(board + "/prizes?limit=0").is(400);
      String csv = api.get(board + "/export").is(200).text();
      assertThat(csv).contains("u10499,1,10499,").contains(",gold\r\n").endsWith(",,all\r\n");
    }
  }
}
