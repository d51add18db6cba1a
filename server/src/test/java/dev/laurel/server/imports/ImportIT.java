package dev.laurel.server.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.cli.CommandTree;
import dev.laurel.server.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code laurel import} against a real server. */
class ImportIT {
  private static final Path JAR = Path.of(System.getProperty("laurel.jar", "target/laurel.jar"));
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int LINES = 100_000;
  private static final int USERS = 5_000;

  @TempDir Path folder = Path.of("");
  private TestServer server = TestServer.start();

  private record Outcome(int code, String out, String err) {}

  @BeforeEach
  void createBoards() {
    for (String update : List.of("SUM", "LATEST")) {
      String board =
          "{\"UUID\":\"%s\",\"update\":\"%s\",\"decimals\":0}"
              .formatted(update.toLowerCase(Locale.ROOT), update);
      assertThat(server.post("/api/v1/leaderboards", board).statusCode()).isEqualTo(201);
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Outcome run(Map<String, String> env, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CommandTree.build(env, folder, new PrintWriter(out), new PrintWriter(err)).execute(args);
    return new Outcome(code, out.toString(), err.toString());
  }

  private Outcome run(String... args) {
    String[] all = Arrays.copyOf(args, args.length + 1);
    System.arraycopy(args, 0, all, 1, args.length);
    all[0] = "import";
    return run(
        Map.of("LAUREL_KEY", TestServer.ADMIN_KEY, "LAUREL_URL", server.laurel().url()), all);
  }

  /** Line i adds i to user i % USERS. */
  private Path file(String name, String header, int lines, IntFunction<String> line)
      throws IOException {
    return Files.writeString(
        folder.resolve(name),
        header + IntStream.range(0, lines).mapToObj(line).collect(Collectors.joining("\n")) + "\n");
  }

  private Path csv(int lines) throws IOException {
    return file("big.csv", "userId,score\n", lines, i -> "u" + i % USERS + "," + i);
  }

  private void assertSums(int lines) {
    Map<String, Long> expected =
        IntStream.range(0, lines)
            .boxed()
            .collect(Collectors.groupingBy(i -> "u" + i % USERS, Collectors.summingLong(i -> i)));
    assertThat(scores("sum")).isEqualTo(expected);
  }

  private Map<String, Long> scores(String board) {
    List<JsonNode> users = new ArrayList<>();
    String from = "";
    while (true) {
      String path = "/api/v1/leaderboards/" + board + "/top?limit=1000" + from;
      JsonNode page = JSON.readTree(server.get(path).body());
      page.get("users").forEach(users::add);
      if (page.get("nextCursor") == null) {
        return users.stream()
            .collect(
                Collectors.toMap(u -> u.get("userId").asString(), u -> u.get("score").asLong()));
      }
      from = "&cursor=" + page.get("nextCursor").asString();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "4"})
  void import_csv_appliesEveryLineOnce(String parallel) throws IOException {
    csv(LINES);
    Outcome first = run("big.csv", "--board", "sum", "--parallel", parallel);
    System.out.print("csv, --parallel " + parallel + ": " + first.out());
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out()).contains("100,000 lines").contains("100,000 applied");
    assertSums(LINES);
    Outcome again = run("big.csv", "--board", "sum", "--parallel", parallel);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).startsWith("0 lines");
    Files.delete(folder.resolve("big.csv.laurel-import"));
    Outcome replayed = run("big.csv", "--board", "sum", "--parallel", parallel);
    assertThat(replayed.out()).contains("100,000 lines").contains("100,000 applied");
    assertSums(LINES);
  }

  @Test
  void import_packedJsonLines_keepsTheOrderOfAUsersLines() throws IOException {
    Path plain =
        file(
            "x.jsonl",
            "",
            LINES,
            i -> "{\"userId\":\"u%d\",\"score\":%d}".formatted(i % USERS, LINES - i));
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("big.jsonl.gz")))) {
      Files.copy(plain, out);
    }
    Outcome outcome = run("big.jsonl.gz", "--board", "latest", "--parallel", "3");
    System.out.print("jsonl.gz, --parallel 3: " + outcome.out());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    Map<String, Long> scores = scores("latest");
    assertThat(scores).hasSize(USERS);
    for (int user = 0; user < USERS; user++) {
      // The last line of each user counts, and it has the lowest score.
      assertThat(scores.get("u" + user)).isEqualTo((long) USERS - user);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "3"})
  void import_killedOnTheWay_goesOnAndCountsNothingTwice(String parallel) throws Exception {
    csv(LINES);
    Path state = folder.resolve("big.csv.laurel-import");
    for (int kills = 1; kills <= 3; kills++) {
      long enough = 20_000L * kills;
      Process process = fork("import", "big.csv", "--board", "sum", "--parallel", parallel);
      Poll.until("some batches", () -> doneLines(state) >= enough || !process.isAlive());
      process.destroyForcibly().onExit().join();
    }
    if (parallel.equals("1")) {
      Files.delete(state); // the keys alone must do
    }
    Process last = fork("import", "big.csv", "--board", "sum", "--parallel", parallel);
    assertThat(last.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(last.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
    assertSums(LINES);
  }

  private Process fork(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + folder));
    command.addAll(List.of("-jar", JAR.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("LAUREL_KEY", TestServer.ADMIN_KEY);
    builder.environment().put("LAUREL_URL", server.laurel().url());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  private static long doneLines(Path state) {
    ImportState begun = ImportState.load(state);
    return begun == null ? 0 : begun.counts().total();
  }

  @Test
  void import_serverRestartsOnTheWay_waitsForIt() throws Exception {
    csv(LINES);
    Process process = fork("import", "big.csv", "--board", "sum");
    Path state = folder.resolve("big.csv.laurel-import");
    Poll.until("some batches", () -> doneLines(state) > 5_000);
    server = server.restart();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
    assertSums(LINES);
  }

  @Test
  void import_badLines_areToldKeptAndCounted() throws IOException {
    Files.writeString(folder.resolve("some.csv"), "userId,score\na,1\nb,x\nc,-5\n,1\nd,1,1\ne,2\n");
    Outcome outcome = run("some.csv", "--board", "sum", "--rejects", "bad.csv");
    assertThat(outcome.code()).isEqualTo(ExitCode.LINES_REJECTED);
    assertThat(outcome.err())
        .contains("line 3: VALIDATION_ERROR: score: x (expected: a number)")
        .contains("line 4: SCORE_OUT_OF_BOUNDS")
        .contains("line 5: VALIDATION_ERROR")
        .contains("line 6: MALFORMED_CSV");
    assertThat(outcome.out()).contains("2 applied").contains("4 rejected").contains("bad.csv");
    assertThat(folder.resolve("bad.csv")).hasContent("userId,score\nb,x\nc,-5\n,1\nd,1,1\n");
    assertThat(scores("sum")).isEqualTo(Map.of("a", 1L, "e", 2L));
  }

  @Test
  void import_fileThatGrewOrChanged_sendsOnlyWhatIsNew() throws IOException {
    csv(10);
    assertThat(run("big.csv", "--board", "sum").code()).isZero();
    csv(25);
    Outcome grown = run("big.csv", "--board", "sum");
    assertThat(grown.out()).as(grown.err()).startsWith("15 lines").contains("25 applied");
    assertSums(25);
    Files.writeString(folder.resolve("big.csv"), "userId,score\nz,1\n");
    Outcome other = run("big.csv", "--board", "sum");
    assertThat(other.code()).isEqualTo(ExitCode.IMPORT_FAILED);
    assertThat(other.err()).contains("not the file").contains("--state");
    Outcome otherBoard = run("big.csv", "--board", "latest");
    assertThat(otherBoard.code()).isEqualTo(ExitCode.IMPORT_FAILED);
    assertThat(otherBoard.err()).contains("board sum").contains("--state");
    assertSums(25);
  }

  @Test
  void import_whatCannotWork_isExplained() throws IOException {
    csv(10);
    Files.writeString(folder.resolve("empty.csv"), "");
    Files.writeString(folder.resolve("empty.jsonl"), "\n");
    String url = server.laurel().url();
    assertFails("there is no board none", "big.csv", "--board", "none");
    assertFails("no server answers", "big.csv", "--board", "sum", "--url", "http://127.0.0.1:1");
    assertFails("the key is not in force", "big.csv", "--board", "sum", "--key", "wrong");
    assertFails("no such file", "no.csv", "--board", "sum");
    assertFails("empty.csv: the file is empty", "empty.csv", "--board", "sum");
    assertFails("there are no lines", "empty.jsonl", "--board", "sum");
    assertFails("does not tell the format", "file", "--board", "sum");
    Outcome keyless = run(Map.of("LAUREL_URL", url), "import", "big.csv", "--board", "sum");
    assertThat(keyless.err()).contains("no key was given").contains("LAUREL_KEY");
    assertThat(run("big.csv").code()).isEqualTo(ExitCode.USAGE);
    assertThat(run("big.csv", "--board", "sum", "--parallel", "0").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("big.csv", "--board", "sum", "--format", "xml").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("big.csv", "--board", "sum", "--url", "localhost").code())
        .isEqualTo(ExitCode.USAGE);
  }

  private void assertFails(String why, String... args) {
    Outcome outcome = run(args);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.IMPORT_FAILED);
    assertThat(outcome.err()).contains(why);
    assertThat(outcome.err().lines()).hasSize(1);
  }
}
