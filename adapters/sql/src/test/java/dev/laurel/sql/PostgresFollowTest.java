package dev.laurel.sql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.cluster.LedgerFollower;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.Store;
import dev.laurel.stack.PostgresServer;
import dev.laurel.testkit.CountedCalls;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.lang.reflect.Proxy;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a node follows what another one commits, turn by turn. */
final class PostgresFollowTest {
  private static final int BOARDS = 40;

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final ManualClock clock = new ManualClock();
  private final Store writing = PostgresStore.open(url, null, null, clock);
  private final Store reading = PostgresStore.open(url, null, null, clock);
  private final Harness writer = new Harness(writing, clock);

  @AfterEach
  void close() {
    writer.close();
    writing.close();
    reading.close();
  }

  private static WindowDefinition window(String name, Schedule schedule) {
    return new WindowDefinition(name, schedule, "UTC", null, null, null, List.of());
  }

  private Board board(String uuid) {
    Board board =
        writer.board(
            uuid,
            Update.SUM,
            WindowDefinition.ALL_TIME,
            window("daily", new Schedule.Daily()),
            window("weekly", new Schedule.Weekly(DayOfWeek.MONDAY)));
    writer.submit(board, Harness.score("ann", 1));
    return board;
  }

  private List<String> rows(Harness node, Board board, Season season) {
    Ranking ranking = requireNonNull(node.index.ranking(board, season), "in memory");
    List<String> rows = new ArrayList<>();
    rows.add("line " + ranking.line());
    ranking.page(
        0,
        100,
        (rank, user, score, reached) -> rows.add(rank + ": " + user + " " + score + " " + reached));
    return rows;
  }

  private void assertSame(Harness node, Board board) {
    Board now = requireNonNull(node.directory.find(board.id()));
    for (Season season : now.seasons()) {
      writer.index.catchUp(now, season);
      assertThat(rows(node, now, season)).isEqualTo(rows(writer, now, season));
    }
  }

  @Test
  void turn_linesOfManyBoards_asksAsOftenAsForOne() {
    List<Board> boards = new ArrayList<>();
    for (int i = 0; i < BOARDS; i++) {
      boards.add(board("board" + i));
    }
    CountedCalls counted = new CountedCalls(reading);
    try (Harness node = new Harness(counted.store(), clock)) {
      LedgerFollower follower = new LedgerFollower(counted.store(), node.directory, node.index);
      for (Board board : boards) {
        board.seasons().forEach(season -> node.index.catchUp(board, season));
      }
      long loads = node.index.loads();
      counted.take();
      Board first = boards.getFirst();
      writer.submit(first, Harness.score("ann", 1), Harness.score("bob", 1));
      assertThat(follower.turn()).containsExactly(first.id());
      int ofOne = counted.take();
      assertSame(node, first);

      boards.forEach(
          board ->
              writer.submit(board, Harness.score("ann", 1), Harness.score("n" + board.id(), 5)));
      writer.submit(first, new Command.Delete("bob"));
      counted.take();
      assertThat(follower.turn()).hasSize(BOARDS);
      assertThat(counted.take()).isEqualTo(ofOne).isLessThan(15);
      boards.forEach(board -> assertSame(node, board));
      assertThat(node.index.loads()).isEqualTo(loads);
      assertThat(node.failures).isEmpty();
    }
  }

  /** What happens while a season is read from an older snapshot is not left out. */
  @Test
  void turn_duringALoad_isNotOvertakenByIt() {
    Board board = board("loading");
    List<Runnable> during = new ArrayList<>();
    try (Harness node = new Harness(afterLongReads(during), clock)) {
      LedgerFollower follower = new LedgerFollower(reading, node.directory, node.index);
      during.add(
          () -> {
            writer.submit(board, Harness.score("ann", 1));
            follower.turn();
          });
      board.seasons().forEach(season -> node.index.catchUp(board, season));
      assertThat(during).isEmpty();
      assertSame(node, board);
    }
  }

  /** The reader's store; after its next long reads something happens before they are used. */
  private Store afterLongReads(List<Runnable> during) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, given) -> {
              Object result = method.invoke(reading, given);
              if (method.getName().equals("read")
                  && given[0] == Store.Reading.LONG
                  && !during.isEmpty()) {
                during.removeFirst().run();
              }
              return result;
            });
  }
}
