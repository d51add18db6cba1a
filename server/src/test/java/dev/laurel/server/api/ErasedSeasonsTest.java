package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an erasure leaves of seasons that are over: everybody else, at their places. */
class ErasedSeasonsTest {
  private static final String DAY = "at=2026-11-14T13:00:00Z";
  private static final List<String> USERS =
      IntStream.rangeClosed(1, 9).mapToObj(i -> "user-" + i).toList();

  @TempDir Path folder = Path.of("");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            settings ->
                settings
                    .with(Settings.ARCHIVE, folder.resolve("archive").toString())
                    .with(Settings.ARCHIVE_AFTER, "never")
                    .with(Settings.PURGE_AFTER, "P1D"),
            clock,
            _ -> {});
    api = Api.admin(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** A day on which all had the same score in the same millisecond, and which is over. */
  private String finishedDay(String name, String ties, String more) {
    String board =
        api.board(name, "'ties':'" + ties + "','windows':[{'schedule':'daily'" + more + "}]");
    for (String user : USERS) {
      api.score(board, user, "'score':100,'timestamp':'2026-11-14T12:00:00Z'").is(200);
    }
    clock.set(Instant.parse("2026-11-15T12:00:00Z"));
    Poll.until(
        "the day is final",
        () -> api.get(board + "/seasons").at("/seasons/1/final").equals("true"));
    return board;
  }

  private void archiveAndPurge(String board) {
    String id = api.get(board + "/seasons").at("/seasons/1/instanceId");
    assertThat(Cli.run(server, folder, "archive", "run").code()).isZero();
    clock.set(Instant.parse("2026-11-15T23:59:00Z").plusSeconds(86_400));
    Poll.until("PURGED", () -> api.get("/api/v1/archives/" + id).at("/state").equals("PURGED"));
    clock.set(Instant.parse("2026-11-15T12:00:00Z"));
  }

  private List<String> ranks(String board, List<String> users) {
    return users.stream()
        .map(u -> api.get(board + "/users/" + u + "/rank?" + DAY))
        .map(answer -> answer.status() == 200 ? answer.at("/rank") : "" + answer.status())
        .toList();
  }

  private List<String> byCursor(String board, int limit) {
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = api.get(board + "/top?limit=" + limit + "&" + DAY + cursor).is(200);
      seen.addAll(page.all("/users", "userId"));
      cursor = "&cursor=" + page.at("/nextCursor");
    } while (!cursor.equals("&cursor="));
    return seen;
  }

  private static List<String> without(List<String> users, List<String> gone) {
    return users.stream().filter(u -> !gone.contains(u)).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"EARLIEST_FIRST", "SHARED", "DENSE"})
  void erase_amongEqualsOfAFinishedSeason_leavesTheOthersAtTheirPlaces(String ties) {
    String board = finishedDay("tied", ties, "");
    List<String> gone = List.of("user-1", "user-4", "user-5");
    List<String> others = without(USERS, gone);
    List<String> before = ranks(board, others);
    for (String user : gone) {
      api.delete("/api/v1/users/" + user).is(204);
    }

    assertThat(ranks(board, others)).isEqualTo(before);
    for (int limit = 1; limit < 5; limit++) {
      List<String> seen = byCursor(board, limit);
      assertThat(seen).doesNotHaveDuplicates().hasSize(USERS.size());
      assertThat(IntStream.of(1, 2, 5, 6, 7, 8).mapToObj(seen::get)).isEqualTo(others);
      assertThat(List.of(seen.get(0), seen.get(3), seen.get(4)))
          .allMatch(id -> id.startsWith("erased-"));
    }
    // Who was erased has the place too, under the name that is left.
    List<String> erased = without(byCursor(board, 9), others);
    assertThat(ranks(board, erased))
        .isEqualTo(ties.equals("EARLIEST_FIRST") ? List.of("1", "4", "5") : List.of("1", "1", "1"));
    assertThat(
            api.get(board + "/users/user-3/around?window=1&" + DAY).is(200).all("/below", "userId"))
        .containsExactly(erased.get(1));
  }

  @Test
  void erase_betweenTwoPages_losesNoRowAndShowsNoneTwice() {
    String board = finishedDay("paged", "EARLIEST_FIRST", "");
    Answer first = api.get(board + "/top?limit=4&" + DAY).is(200);
    api.delete("/api/v1/users/user-4").is(204);
    api.delete("/api/v1/users/user-5").is(204);
    Answer rest =
        api.get(board + "/top?limit=9&" + DAY + "&cursor=" + first.at("/nextCursor")).is(200);
    List<String> seen = rest.all("/users", "userId");
    assertThat(seen.getFirst()).startsWith("erased-");
    assertThat(seen.subList(1, 5)).isEqualTo(USERS.subList(5, 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EARLIEST_FIRST", "SHARED", "DENSE"})
  void erase_ofASeasonInTheArchive_leavesTheOthersAtTheirPlaces(String ties) {
    String board = finishedDay("kept", ties, ",'capacity':7");
    List<String> before = ranks(board, USERS);
    archiveAndPurge(board);
    assertThat(ranks(board, USERS)).isEqualTo(before);
    Answer first = api.get(board + "/top?limit=3&" + DAY).is(200);
    List<String> gone = List.of("user-3", "user-7");
    for (String user : gone) {
      api.delete("/api/v1/users/" + user).is(204);
    }

    List<String> others = without(USERS, gone);
    assertThat(ranks(board, others))
        .isEqualTo(others.stream().map(u -> before.get(USERS.indexOf(u))).toList());
    for (int limit = 1; limit < 5; limit++) {
      assertThat(
              byCursor(board, limit).stream().map(id -> id.replaceAll("^erased-.{16}$", "erased")))
          .containsExactly("user-1", "user-2", "erased", "user-4", "user-5", "user-6", "erased");
    }
    assertThat(
            api.get(board + "/top?limit=2&" + DAY + "&cursor=" + first.at("/nextCursor"))
                .is(200)
                .all("/users", "userId"))
        .containsExactly("user-4", "user-5");
    assertThat(ranks(board, gone)).containsExactly("404", "404");
  }
}
