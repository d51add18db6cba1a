package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.archive.FolderObjects;
import dev.laurel.archive.ObjectArchive;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.hooks.Outgoing;
import dev.laurel.core.lifecycle.CleanUp;
import dev.laurel.core.lifecycle.LedgerAge;
import dev.laurel.core.lifecycle.LedgerPruner;
import dev.laurel.core.lifecycle.OneByOne;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Webhook;
import dev.laurel.sql.SqliteStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A year of the same every day, with all jobs at work: from the third month on no table has more
 * rows, and nothing in memory has more in it.
 */
class SteadyYearTest {
  private static final int MONTH = 30;

  /** One row for each season there ever was, by which old ones are found in the archive. */
  private static final Set<String> ONE_A_SEASON = Set.of("seasons", "season_archives");

  /**
   * What waits to be written to its table, and what the archive has read last, have bounds of their
   * own.
   */
  private static final Set<String> BOUNDED =
      Set.of("redo", "RecentEntries.newest", "Recent.values");

  @TempDir private Path folder = Path.of("");
  private final ManualClock clock = new ManualClock(Instant.parse("2027-01-01T10:00:00Z"));

  @Test
  void year_ofTheSameEveryDay_growsByTwoRowsASeasonAndNothingElse() throws Exception {
    try (Store store = SqliteStore.open(folder.resolve("data"), clock);
        ObjectArchive archive =
            new ObjectArchive(
                new FolderObjects(folder.resolve("archive")), folder.resolve("work"));
        Harness node = new Harness(store, clock, archive)) {
      Board board =
          node.board(
              "days",
              Update.SUM,
              // One that never ends keeps no lines for ever.
              WindowDefinition.ALL_TIME,
              new WindowDefinition(
                  "daily", new Schedule.Daily(), "UTC", null, Duration.ZERO, null, List.of()));
      long hook = prepare(store, board);
      long kept = Duration.ofDays(60).toMillis();
      Outgoing outgoing = new Outgoing(store, kept);
      LedgerPruner pruner =
          new LedgerPruner(
              store,
              node.directory,
              new LedgerAge(kept),
              new OneByOne<>("shard", () -> 0, node.failures::add));
      CleanUp cleanUp =
          new Horizons(kept, kept)
              .cleanUp(store, outgoing, node.directory, node.index, clock, node.failures::add);
      Map<String, Long> third = new TreeMap<>();
      for (int day = 1; day <= 12 * MONTH; day++) {
        clock.turn(Duration.ofDays(1));
        node.seasons.turn();
        node.finals.writeAll(() -> false);
        play(node, board, day);
        send(store, outgoing, hook, day);
        node.archiver.turn(() -> false);
        pruner.turn(() -> false);
        cleanUp.turn(() -> false);
        if (day == 3 * MONTH) {
          third = sizes(node);
        } else if (day > 3 * MONTH && day % MONTH == 0) {
          assertThat(grown(day / MONTH, third, sizes(node))).isEmpty();
        }
      }
      assertThat(node.failures).isEmpty();
    }
  }

  private static long prepare(Store store, Board board) {
    return store.write(
        tx -> {
          tx.putGuard(
              board.id(), List.of(new GuardRule(GuardRule.Kind.JUMP, 50, GuardRule.Action.RECORD)));
          return tx.outbox()
              .createWebhook(
                  new Webhook(
                      0,
                      Tenant.DEFAULT,
                      "http://localhost/",
                      "0123456789abcdef",
                      Set.of("x"),
                      null,
                      "test",
                      1))
              .id();
        });
  }

  private void play(Harness node, Board board, int day) {
    Board now = node.boards.require(board.tenant(), board.uuid());
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      // An id without a time is for ever, so what has no time has no id.
      boolean timed = i % 2 == 0;
      String id = timed ? "d" + day + "-" + i : null;
      commands.add(Harness.score("u" + i, i == 11 ? 60 : 1, timed ? clock.millis() : null, id));
    }
    commands.add(new Command.Award("u1", 2, "a" + day, null));
    Request.Idempotency key =
        new Request.Idempotency(
            "me", "k" + day, Digest.of("p"), o -> new byte[9], Duration.ofDays(1).toMillis());
    node.await(new Request(now, commands, 1, false, key));
  }

  private void send(Store store, Outgoing outgoing, long hook, int day) {
    Delivery delivery =
        new Delivery(
            "d" + day,
            Tenant.DEFAULT,
            hook,
            "x",
            "{}",
            clock.millis(),
            Delivery.State.PENDING,
            clock.millis(),
            0);
    store.write(
        tx -> {
          tx.outbox().add(delivery);
          return true;
        });
    outgoing.sent(delivery, clock.millis(), 1, 200, null);
  }

  private static List<String> grown(int month, Map<String, Long> third, Map<String, Long> now) {
    List<String> grown = new ArrayList<>();
    now.forEach(
        (name, size) -> {
          long before = third.getOrDefault(name, 0L);
          if (ONE_A_SEASON.contains(name)
              ? size > (long) month * MONTH + 3
              : size > before + before / 4 + 16 && !BOUNDED.contains(name)) {
            grown.add(name + ": " + before + " in month 3, " + size + " in month " + month);
          }
        });
    return grown;
  }

  /** Rows of tables, and what maps and collections hold, by the fields that refer to them. */
  private Map<String, Long> sizes(Harness node) throws Exception {
    Map<String, Long> sizes = new TreeMap<>();
    Path file = folder.resolve("data").resolve("laurel.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
      }
      for (String table : tables) {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
          sizes.put(table, row.getLong(1));
        }
      }
    }
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> todo = new ArrayDeque<>();
    for (Field field : Harness.class.getFields()) {
      Object part = field.get(node);
      if (part != null && isOurs(part)) {
        todo.add(part);
      }
    }
    while (!todo.isEmpty()) {
      Object next = todo.poll();
      if (seen.add(next)) {
        look(next, todo, sizes);
      }
    }
    return sizes;
  }

  private static boolean isOurs(Object part) {
    String name = part.getClass().getName();
    return name.startsWith("dev.laurel.")
        && !name.startsWith("dev.laurel.testkit.")
        && !part.getClass().isHidden()
        && !part.getClass().isEnum();
  }

  private static void look(Object part, Deque<Object> todo, Map<String, Long> sizes)
      throws IllegalAccessException {
    for (Class<?> type = part.getClass();
        type != null && type.getName().startsWith("dev.laurel.");
        type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
          continue;
        }
        field.setAccessible(true);
        Object value = field.get(part);
        String name = type.getSimpleName() + "." + field.getName();
        switch (value) {
          case null -> {}
          case Map<?, ?> map -> {
            sizes.merge(name, (long) map.size(), Long::sum);
            map.values().stream().filter(v -> v != null && isOurs(v)).forEach(todo::add);
          }
          case Collection<?> collection -> {
            sizes.merge(name, (long) collection.size(), Long::sum);
            collection.stream().filter(v -> v != null && isOurs(v)).forEach(todo::add);
          }
          case Object[] array -> {
            for (Object each : array) {
              if (each != null && isOurs(each)) {
                todo.add(each);
              }
            }
          }
          default -> {
            if (isOurs(value)) {
              todo.add(value);
            }
          }
        }
      }
    }
  }
}
