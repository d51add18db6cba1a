package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing leaves a database that nodes share for an archive that one of them cannot read. */
class SharedArchiveTest {
  private static final String BOARD = Api.BOARDS + "/day";
  private static final Instant NOON = Instant.parse("2026-11-14T12:00:00Z");
  private static final String THAT_DAY = "/top?limit=2&at=2026-11-14T13:00:00Z";

  @TempDir Path folder = Path.of("");

  private final ManualClock clock = new ManualClock(NOON);
  private final String database =
      PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final List<TestServer> nodes = new ArrayList<>();

  private Api node(String archive) {
    TestServer server =
        TestServer.start(
            settings ->
                settings
                    .with(Settings.DATABASE_URL, database)
                    .with(Settings.ARCHIVE, folder.resolve(archive).toString())
                    .with(Settings.ARCHIVE_AFTER, "never")
                    .with(Settings.PURGE_AFTER, "P1D"),
            clock,
            _ -> {});
    nodes.add(server);
    return Api.admin(server);
  }

  @AfterEach
  void stop() {
    nodes.forEach(TestServer::close);
  }

  /** A day that was played on the node is archived there, and due to be purged. */
  private String archivedDay(Api api) {
    api.post(Api.BOARDS, "{'UUID':'day','windows':[{'schedule':'daily'}]}").is(201);
    api.score(BOARD, "ann", "'score':3").is(200);
    api.score(BOARD, "bob", "'score':2").is(200);
    clock.set(NOON.plus(Duration.ofDays(1)));
    Poll.until(
        "the day is final",
        () -> api.get(BOARD + "/seasons").at("/seasons/1/final").equals("true"));
    String id = api.get(BOARD + "/seasons").at("/seasons/1/instanceId");
    api.send("POST", "/api/v1/archives/run", null).is(202);
    awaitState(api, id, "ARCHIVED");
    clock.set(NOON.plus(Duration.ofDays(3)));
    return id;
  }

  private static String state(Api api, String id) {
    return api.get("/api/v1/archives/" + id).at("/state");
  }

  private static void awaitState(Api api, String id, String state) {
    Poll.until(state, () -> state(api, id).equals(state));
  }

  private static String purging(Api api) {
    return api.get("/api/v1/archives").is(200).at("/purging/state");
  }

  private static void awaitPurging(Api api, String state) {
    Poll.until("purging: " + state, () -> purging(api).equals(state));
  }

  private static void awaitWaiting(Api api) {
    Poll.until(
        "a purge that waits",
        () -> {
          String metrics = api.get("/metrics").text();
          return metrics.contains("laurel_archive_purges_waiting 1.0")
              && metrics.contains("laurel_archive_shared 0.0");
        });
  }

  @Test
  void purge_withTwoNodesAndTwoFolders_waitsUntilBothSeeOne() {
    Api one = node("a");
    Api two = node("b");
    String id = archivedDay(one);
    awaitWaiting(one);
    awaitWaiting(two);
    assertThat(purging(one)).isEqualTo("WAITING");
    assertThat(one.get("/api/v1/archives").at("/purging/problem"))
        .contains("does not see")
        .doesNotContain(folder.toString());
    assertThat(state(two, id)).isEqualTo("ARCHIVED");
    assertThat(one.get(BOARD + THAT_DAY).is(200).all("/users", "userId"))
        .containsExactly("ann", "bob");
    assertThat(two.get(BOARD + THAT_DAY).is(200).all("/users", "userId"))
        .containsExactly("ann", "bob");
    Cli list = Cli.run(nodes.getLast(), folder, "archive", "list");
    assertThat(list.err()).contains("nothing is purged").contains("does not see");

    nodes.removeLast().close();
    Api again = node("a");
    // If it was the other node that had archived it, it is written anew first, and due later.
    awaitPurging(one, "ON");
    Instant next = NOON.plus(Duration.ofDays(3));
    while (!state(one, id).equals("PURGED")) {
      next = next.plus(Duration.ofMinutes(10));
      clock.set(next);
    }
    for (Api api : List.of(one, again)) {
      awaitPurging(api, "ON");
      Answer top = api.get(BOARD + THAT_DAY).is(200);
      assertThat(top.all("/users", "userId")).containsExactly("ann", "bob");
      assertThat(top.header("Laurel-Source")).isEqualTo("archive");
    }
  }

  @Test
  void node_thatJoinsWithAnotherFolder_saysSoAndHoldsUpThePurge() {
    Api one = node("a");
    Api two = node("a");
    String id = archivedDay(one);
    awaitState(two, id, "PURGED");

    Api third = node("c");
    awaitPurging(third, "WAITING");
    awaitPurging(one, "WAITING");
    Answer refused = third.get(BOARD + THAT_DAY);
    refused.refused(503, "ARCHIVE_UNAVAILABLE");
    assertThat(refused.text()).contains("does not see").doesNotContain(folder.toString());
    one.get(BOARD + THAT_DAY).is(200);
    two.get(BOARD + THAT_DAY).is(200);

    nodes.removeLast().close();
    awaitPurging(one, "ON");
  }

  /** Its folder may be a container's own, and gone with it. */
  @Test
  void purge_withOneNode_waitsUntilItsNextStartFindsTheFolderAgain() {
    Api api = node("a");
    String id = archivedDay(api);
    awaitWaiting(api);
    assertThat(state(api, id)).isEqualTo("ARCHIVED");

    nodes.removeLast().close();
    Api elsewhere = node("b");
    awaitWaiting(elsewhere);
    assertThat(state(elsewhere, id)).isEqualTo("ARCHIVED");

    nodes.removeLast().close();
    Api again = node("a");
    awaitState(again, id, "PURGED");
    assertThat(again.get(BOARD + THAT_DAY).is(200).header("Laurel-Source")).isEqualTo("archive");
  }
}
