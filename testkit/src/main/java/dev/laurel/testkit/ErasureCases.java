package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.privacy.Erasure;
import dev.laurel.core.privacy.UserData;
import dev.laurel.core.store.Profile;
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

  /** Another node has given the number, and an erasure there frees the id at once. */
  @Test
  default void submit_whileTheUserIsErasedBetweenNumberAndName_isANewUsers() {
    Board board = harness().board("freed", Update.SUM);
    harness().users.of(Tenant.DEFAULT);
    try (Harness other = node(1 << 16)) {
      other.users.assign(Tenant.DEFAULT, List.of("x"));
      store()
          .afterNextAssignment(
              () -> {
                other.erasure.erase(Tenant.DEFAULT, "x", 1);
                harness().users.followNow(Tenant.DEFAULT);
              });
      PipelineCases.accepted(harness().submit(board, score("x", 5)));
      assertThat(userOf("x")).isEqualTo(2);
      assertThat(scoreOf(board, "x")).isEqualTo(5);
    }
  }

  /** The other node has not heard of the erasure, and is never going to be told. */
  @Test
  default void submit_atANodeThatHasNotHeardOfTheErasure_isANewUsers() {
    Board board = harness().board("unheard", Update.SUM);
    PipelineCases.accepted(harness().submit(board, personal("x", 5)));
    try (Harness other = node(1 << 16)) {
      PipelineCases.accepted(other.submit(board, personal("x", 6)));
      int erased = userOf("x");
      assertThat(harness().erasure.erase(Tenant.DEFAULT, "x", 1)).isTrue();
      PipelineCases.accepted(other.submit(board, personal("x", 7)));
      int fresh = other.users.of(Tenant.DEFAULT).find("x");
      assertThat(fresh).isNotEqualTo(erased).isPositive();
      long season = board.primary().id();
      Entry own = store().read(tx -> tx.entries(season, new int[] {fresh}).getFirst());
      assertThat(own).extracting(Entry::score).isEqualTo(7L);
      Entry left = store().read(tx -> tx.entries(season, new int[] {erased}).getFirst());
      assertThat(left).isNotNull();
      assertThat(left.score()).isEqualTo(11);
      assertThat(left.metadata()).isNull();
      assertThat(
              store().read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, 100)).stream()
                  .filter(line -> line.user() == erased)
                  .map(LedgerLine::metadata))
          .containsOnlyNulls();
    }
  }

  private static Command personal(String user, long value) {
    return new Command.Score(
        user, Long.toString(value), null, null, null, "{\"from\":\"" + user + "\"}");
  }

  /** The caller is told that it is not finished, and whoever runs the server why. */
  @Test
  default void erase_thatCannotBeFinished_tellsWhy() {
    Board board = harness().board("unread", Update.SUM);
    harness().submit(board, personal("x", 5));
    FaultyStore faulty = new FaultyStore(store());
    IllegalStateException why = new IllegalStateException("told to fail");
    faulty.afterLongRead(
        () -> {
          throw why;
        });
    List<Throwable> failures = new ArrayList<>();
    Erasure erasure =
        new Erasure(
            store(),
            harness().directory,
            harness().profiles,
            new UserData(faulty, harness().directory),
            clock(),
            failures::add);
    assertThat(erasure.erase(board.tenant(), "x", 1)).isFalse();
    assertThat(failures).containsExactly(why);
  }

  @Test
  default void put_profileAtANodeThatHasNotHeardOfTheErasure_isANewUsers() {
    try (Harness other = node(1 << 16)) {
      harness().profiles.put(Tenant.DEFAULT, "x", "Ex", 0, 1);
      other.profiles.put(Tenant.DEFAULT, "x", "Ex", 0, 1);
      int erased = userOf("x");
      harness().erasure.erase(Tenant.DEFAULT, "x", 1);
      Profile put = other.profiles.put(Tenant.DEFAULT, "x", "Why", 0, 1);
      assertThat(put.user()).isNotEqualTo(erased);
      assertThat(store().<List<Profile>>read(tx -> tx.profilesSince(0)))
          .extracting(Profile::user, Profile::state, Profile::displayName)
          .containsExactlyInAnyOrder(
              tuple(erased, Profile.State.ERASED, null),
              tuple(put.user(), Profile.State.KEPT, "Why"));
    }
  }

  @Test
  default void follow_onASnapshotOfBeforeTheErasure_doesNotBringTheUserBack() {
    harness().users.of(Tenant.DEFAULT);
    try (Harness other = node(1 << 16)) {
      other.users.assign(Tenant.DEFAULT, List.of("x"));
      store()
          .read(
              tx -> {
                tx.revision();
                join(
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              other.erasure.erase(Tenant.DEFAULT, "x", 1);
                              harness().profiles.follow();
                            }));
                harness().users.follow(tx, Tenant.DEFAULT);
                return true;
              });
      assertThat(userOf("x")).isZero();
      assertThat(harness().users.of(Tenant.DEFAULT).id(1)).startsWith("erased-");
    }
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
