package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Users are erased, whatever else happens meanwhile. */
interface ErasureCases extends PipelineCases {
  /** Ids are the last part of the order: among equals an erasure moves a row. */
  @Test
  default void erase_amongManyEqualsWhileScoresCome_leavesNoneOut(Random random) {
    Board board = harness().board("ties", Update.LATEST);
    long at = clock().millis();
    int users = 600;
    List<Command> all = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      all.add(score("user-" + i, 5, at, null));
    }
    assertThat(harness().submit(board, all.toArray(Command[]::new))).isInstanceOf(Reply.Done.class);
    harness().index.catchUp(board, board.primary());
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    Thread scores =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    // They leave their equals and come back, while others become somebody else.
                    List<Command> some = new ArrayList<>();
                    for (int n = 0; n < 5; n++) {
                      some.add(score("user-" + (100 + random.nextInt(500)), 5 + i % 2, at, null));
                    }
                    replies.add(harness().pipeline.submit(new Request(board, some, 1, true, null)));
                    if (i % 10 == 9) {
                      replies.getLast().orTimeout(60, TimeUnit.SECONDS).join();
                    }
                  }
                });
    for (int i = 0; i < 40; i++) {
      harness().erasure.erase(Tenant.DEFAULT, "user-" + i, 1);
    }
    join(scores);
    for (CompletableFuture<Reply> reply : replies) {
      Reply done = reply.orTimeout(60, TimeUnit.SECONDS).join();
      assertThat(done).isInstanceOf(Reply.Done.class);
      assertThat(((Reply.Done) done).outcomes()).allMatch(Outcome.Accepted.class::isInstance);
    }
    assertThat(harness().failures).isEmpty();
    assertThat(IntStream.range(0, 40).map(i -> userOf("user-" + i)).sum()).isZero();
    assertEqualsOracle(board);
  }

  private int userOf(String id) {
    return harness().users.of(Tenant.DEFAULT).find(id);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
