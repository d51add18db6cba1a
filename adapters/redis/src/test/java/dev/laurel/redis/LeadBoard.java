package dev.laurel.redis;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.Store;
import dev.laurel.testkit.BoardOracle;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A board on a node whose Redis fails. Each user who is written takes the lead of it. */
final class LeadBoard {
  static final String PREFIX = "faults";

  private final Store store;
  private final Harness.IndexSource indexes;
  Harness node;
  final Board board;
  int users;

  LeadBoard(Store store, String url) {
    this(store, Nodes.indexes(url, PREFIX));
  }

  LeadBoard(Store store, Harness.IndexSource indexes) {
    this.store = store;
    this.indexes = indexes;
    this.node = node();
    this.board = node.board("board", Update.LATEST);
    for (int i = 0; i < 20; i++) {
      write();
    }
    awaitIndex();
  }

  /** Another node on the same store and Redis. */
  Harness node() {
    return new Harness(store, new ManualClock(), 1 << 16, indexes);
  }

  /** The next user takes the lead. */
  void write() {
    users++;
    assertThat(node.submit(board, score("user-" + users, users))).isInstanceOf(Reply.Done.class);
  }

  /** Right, wherever it comes from. */
  Rankings.Answer<List<BoardOracle.Row>> read() {
    Rankings.Answer<List<BoardOracle.Row>> answer =
        node.rankings.answer(
            board,
            board.primary(),
            List.of(),
            view -> BoardOracle.rows(view.ranking(), view.users()));
    List<String> expected = new ArrayList<>();
    for (int i = users; i > 0; i--) {
      expected.add("user-" + i);
    }
    assertThat(answer.value().stream().map(BoardOracle.Row::userId)).isEqualTo(expected);
    return answer;
  }

  void writeAndReadOften() {
    for (int i = 0; i < 10; i++) {
      write();
      read();
    }
  }

  void awaitIndex() {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (read().source() != Rankings.Source.INDEX) {
      assertThat(System.nanoTime()).as("reads return").isLessThan(deadline);
      LockSupport.parkNanos(5_000_000);
    }
  }
}
