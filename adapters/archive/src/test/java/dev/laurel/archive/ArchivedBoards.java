package dev.laurel.archive;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Boards of a store with an archive beside it, whose days go by. */
abstract class ArchivedBoards {
  static final Instant DAY = Instant.parse("2026-11-15T12:00:00Z");

  @TempDir Path folder = Path.of("");

  final ManualClock clock = new ManualClock(DAY);

  private int nodes;

  /** Where answers came from, one after the other. */
  final List<Rankings.Source> sources = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // set before every test
  Store store;

  @SuppressWarnings("NullAway.Init") // set before every test
  Harness harness;

  @BeforeEach
  void start() {
    store = SqliteStore.open(folder.resolve("data"), clock);
    harness = new Harness(store, clock, wrapped(archive()));
  }

  /** Another node's has a folder to work in of its own. */
  Archive archive() {
    Objects objects = new FolderObjects(folder.resolve("archive"));
    return new ObjectArchive(objects, folder.resolve("work" + nodes++));
  }

  Archive wrapped(Archive archive) {
    return archive;
  }

  @AfterEach
  void stop() {
    harness.close();
    store.close();
  }

  void restart() {
    stop();
    start();
  }

  Board board(Order order, Ties ties) {
    return board(order, ties, null);
  }

  Board board(Order order, Ties ties, @Nullable Integer capacity) {
    return harness.board(
        "sun:day",
        order,
        ties,
        Update.LATEST,
        new Bounds(Long.MIN_VALUE, Long.MAX_VALUE),
        new WindowDefinition(
            "weekly",
            new Schedule.Weekly(DayOfWeek.MONDAY),
            "UTC",
            null,
            Duration.ofMinutes(5),
            capacity,
            List.of(
                new PrizeTier("gold", 1, 3, 0, "{\"coins\":100}"),
                new PrizeTier("half", 0, 0, 5000, null))));
  }

  void submit(Board board, int users, Random random) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      String metadata = random.nextInt(3) == 0 ? "{ \"n\" : " + i + " }" : null;
      commands.add(
          new Command.Score(
              "user-" + random.nextInt(1 << 30) + "é",
              Long.toString(random.nextInt(1 + users / 4)),
              null,
              DAY.toEpochMilli() - random.nextInt(1000),
              null,
              metadata));
    }
    for (int from = 0; from < users; from += 1000) {
      harness.submit(
          board, commands.subList(from, Math.min(users, from + 1000)).toArray(Command[]::new));
    }
  }

  /** Ends the day, and goes on so many days later. */
  void turn(int days) {
    later(days);
    assertThat(harness.failures).isEmpty();
  }

  /** The same, and something may fail. */
  void later(int days) {
    clock.set(DAY.plus(Duration.ofDays(days)));
    harness.seasons.turn();
    harness.finals.writeAll(() -> false);
    harness.archiver.turn(() -> false);
  }

  static Season first(Board board, ReadTransaction tx) {
    return requireNonNull(tx.seasonAt(board.id(), 0, DAY.toEpochMilli()));
  }

  Season first(Board board) {
    Season found = store.read(tx -> tx.seasonAt(board.id(), 0, DAY.toEpochMilli()));
    assertThat(found).isNotNull();
    return found == null ? board.primary() : found;
  }

  /** As it is known after a restart too, which may be of another epoch. */
  Board now(Board board) {
    return requireNonNull(harness.directory.find(board.id()));
  }

  SeasonAnswers answers(Board board, Random random) {
    return SeasonAnswers.of(harness, now(board), first(board), random, sources::add);
  }

  ArchiveRecord record(Board board) {
    return harness.requests.list(board.tenant(), 0, 10).stream()
        .filter(o -> o.season().id() == first(board).id())
        .map(o -> requireNonNull(o.record()))
        .findFirst()
        .orElseThrow();
  }
}
