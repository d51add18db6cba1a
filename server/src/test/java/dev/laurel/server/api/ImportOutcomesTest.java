package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an import makes of the outcomes of its lines. */
class ImportOutcomesTest {
  @TempDir Path folder = Path.of("");

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void import_linesThatAGuardHolds_areHeldAndNotToBeSentAgain() throws IOException {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board = api.board("guarded", "'update':'SUM'");
      api.put(
              board + "/guard",
              "{'rules':[{'rule':'JUMP','threshold':100,'outcome':'QUARANTINE'}]}")
          .is(200);
      file("scores.csv", "userId,score\nann,10\nann,500\nbob,x\ncem,700\n");
      Cli run =
          Cli.run(
              server, folder, "import", "scores.csv", "--board", "guarded", "--rejects", "bad.csv");
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LINES_REJECTED);
      assertThat(run.out()).contains("1 applied", "2 held", "1 rejected", "do not send them again");
      assertThat(run.err()).contains("line 4: ").doesNotContain("line 3: ", "line 5: ");
      // Whoever does what the message says sends nothing twice.
      assertThat(folder.resolve("bad.csv")).hasContent("userId,score\nbob,x\n");
      Answer open = api.get(board + "/anomalies?state=OPEN").is(200);
      assertThat(open.json().get("anomalies")).hasSize(2);

      file("more.csv", "userId,score\nann,600\n");
      Cli held = Cli.run(server, folder, "import", "more.csv", "--board", "guarded");
      assertThat(held.code()).as(held.err()).isEqualTo(ExitCode.OK);
      Files.delete(folder.resolve("more.csv.laurel-import"));
      Cli again = Cli.run(server, folder, "import", "more.csv", "--board", "guarded");
      assertThat(again.out()).contains("1 held");
      assertThat(api.get(board + "/anomalies?state=OPEN").is(200).json().get("anomalies"))
          .hasSize(3);
    }
  }

  @Test
  void game_scoreThatAGuardHolds_isAnsweredAsHeld() {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board = api.board("game:chess");
      api.put(
              board + "/guard",
              "{'rules':[{'rule':'JUMP','threshold':100,'outcome':'QUARANTINE'}]}")
          .is(200);
      Answer taken = api.post("/v1/games/chess/scores", "{'user_id':'ann','score':10}").is(200);
      assertThat(taken.json().has("held")).isFalse();
      Answer held = api.post("/v1/games/chess/scores", "{'user_id':'ann','score':900}").is(200);
      assertThat(held.at("/updated")).isEqualTo("false");
      assertThat(held.at("/held")).isEqualTo("true");
    }
  }

  @Test
  void import_beforeTheBoardBegins_sendsTheLinesWhenItHasBegun() throws IOException {
    Instant now = Instant.parse("2026-03-01T12:00:00Z");
    ManualClock clock = new ManualClock(now);
    try (TestServer server = TestServer.start(clock)) {
      Api api = Api.admin(server);
      String board = api.board("later", "'update':'SUM'", "'startTime':'2026-03-02T00:00:00Z'");
      file("scores.csv", "userId,score\nann,10\nbob,20\nann,x\n");
      Cli early = Cli.run(server, folder, "import", "scores.csv", "--board", "later");
      assertThat(early.code()).isEqualTo(ExitCode.IMPORT_FAILED);
      assertThat(early.err()).contains("SEASON_NOT_STARTED", "run it again");
      clock.turn(Duration.ofDays(1));
      Cli begun = Cli.run(server, folder, "import", "scores.csv", "--board", "later");
      assertThat(begun.code()).as(begun.err()).isEqualTo(ExitCode.LINES_REJECTED);
      assertThat(begun.out()).contains("2 applied", "1 rejected");
      assertThat(api.get(board + "/users/bob/rank").is(200).at("/score")).isEqualTo("20");
      Cli again = Cli.run(server, folder, "import", "scores.csv", "--board", "later");
      assertThat(again.out()).startsWith("0 lines");
    }
  }

  /** The board has begun; some lines are about a time before it. No later run would change that. */
  @Test
  void import_linesFromBeforeTheStart_areRejectedAndTheOthersTaken() throws IOException {
    ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    try (TestServer server = TestServer.start(clock)) {
      Api api = Api.admin(server);
      String board = api.board("begun", "'update':'SUM'", "'startTime':'2026-02-01T00:00:00Z'");
      StringBuilder lines = new StringBuilder("userId,score,timestamp\n");
      for (int i = 0; i < 1_100; i++) {
        lines.append("u" + i + ",1,2026-01-31T00:00:00Z\n");
      }
      file("history.csv", lines.append("ann,7,2026-02-01T00:00:00Z\n").toString());
      Cli run = Cli.run(server, folder, "import", "history.csv", "--board", "begun");
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LINES_REJECTED);
      assertThat(run.out()).contains("1 applied", "1,100 rejected");
      assertThat(api.get(board + "/users/ann/rank").is(200).at("/score")).isEqualTo("7");
    }
  }

  /** Somebody has set the wrong start, and is going to correct it. */
  @Test
  void import_linesWithTimesBeforeTheBoardBegins_areSentWhenTheStartIsMoved() throws IOException {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board = api.board("ahead", "'update':'SUM'", "'startTime':'2999-01-01T00:00:00Z'");
      file("history.csv", "userId,score,timestamp\nann,7,2026-02-01T00:00:00Z\n");
      Cli early = Cli.run(server, folder, "import", "history.csv", "--board", "ahead");
      assertThat(early.code()).as(early.err()).isEqualTo(ExitCode.IMPORT_FAILED);
      assertThat(early.err()).contains("SEASON_NOT_STARTED", "run it again");
      api.patch(board, "{'startTime':'2026-01-01T00:00:00Z'}").is(200);
      Cli moved = Cli.run(server, folder, "import", "history.csv", "--board", "ahead");
      assertThat(moved.out()).as(moved.err()).contains("1 applied");
    }
  }

  @Test
  void import_intoABoardThatIsPaused_sendsTheLinesWhenItGoesOn() throws IOException {
    try (TestServer server = TestServer.start()) {
      Api api = Api.admin(server);
      String board = api.board("resting", "'update':'SUM'");
      api.patch(board, "{'status':'PAUSED'}").is(200);
      file("scores.csv", "userId,score\nann,10\n");
      Cli early = Cli.run(server, folder, "import", "scores.csv", "--board", "resting");
      assertThat(early.code()).as(early.out() + early.err()).isEqualTo(ExitCode.IMPORT_FAILED);
      api.patch(board, "{'status':'ACTIVE'}").is(200);
      Cli late = Cli.run(server, folder, "import", "scores.csv", "--board", "resting");
      assertThat(late.out()).as(late.err()).contains("1 applied");
    }
  }
}
