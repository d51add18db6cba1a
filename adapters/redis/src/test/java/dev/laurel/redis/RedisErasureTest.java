package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an erasure leaves in Redis, and what it costs there. */
class RedisErasureTest {
  private static final String PREFIX = "erasure";

  @TempDir Path folder = Path.of("");

  @Test
  void erase_ofWhoPlayedManyDays_buildsOnlyWhatIsReadThere() {
    ManualClock clock = new ManualClock();
    try (RedisServer server = RedisServer.start(folder.resolve("redis"));
        Store store = SqliteStore.open(folder.resolve("data"), clock);
        Harness node = new Harness(store, clock, 1 << 16, Nodes.patient(server.url(), PREFIX))) {
      Board board =
          node.board(
              "days",
              Update.SUM,
              new WindowDefinition(
                  "daily", new Schedule.Daily(), "UTC", null, Duration.ZERO, null, List.of()));
      int days = 12;
      for (int day = 0; day < days; day++) {
        Board now = node.boards.require(Tenant.DEFAULT, "days");
        node.submit(now, score("ann", 1), score("bob", 2));
        node.index.catchUp(now, now.primary());
        clock.turn(Duration.ofDays(1));
        node.seasons.turn();
        node.finals.writeAll(() -> false);
      }
      int listed = node.boards.require(Tenant.DEFAULT, "days").seasons().size();
      assertThat(listed).isLessThan(days / 2);
      assertThat(all(server)).contains("ann").contains("bob");
      long before = node.index.loads();
      assertThat(node.erasure.erase(board.tenant(), "ann", 1)).isTrue();
      assertThat(node.index.loads() - before).isLessThanOrEqualTo(listed);
      assertThat(all(server)).doesNotContain("ann");
    }
  }

  /** Whoever is in a season there. */
  private static String all(RedisServer server) {
    return server
        .call("KEYS", PREFIX + ":*")
        .lines()
        .map(String::strip)
        .map(
            key ->
                key.endsWith(":u")
                    ? server.call("HKEYS", key)
                    : key.endsWith(":z") ? server.call("ZRANGE", key, "0", "-1") : "")
        .collect(Collectors.joining("\n"));
  }
}
