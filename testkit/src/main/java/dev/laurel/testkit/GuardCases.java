package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.GuardRule.Action;
import dev.laurel.core.store.GuardRule.Kind;
import dev.laurel.core.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a board's guard does with what is odd. */
interface GuardCases extends PipelineCases {
  private Board guarded(String uuid, Update update, GuardRule... rules) {
    Board board = harness().board(uuid, update);
    store()
        .write(
            tx -> {
              tx.putGuard(board.id(), List.of(rules));
              return true;
            });
    return board;
  }

  private Outcome.Effect effect(Board board, Command command) {
    return PipelineCases.accepted(harness().submit(board, command)).effect();
  }

  private List<Anomaly> anomalies(Board board, Anomaly.State state) {
    return store().read(tx -> tx.anomalies(board.id(), state, Long.MAX_VALUE, 100));
  }

  private Outcome.Accepted decide(Board board, String user, long line, Command.Correction what) {
    return PipelineCases.accepted(
        harness().submit(board, new Command.Correct(user, what, List.of(line), null)));
  }

  @Test
  default void guard_jump_isHeldUntilItIsReleased() {
    Board board = guarded("held", Update.SUM, new GuardRule(Kind.JUMP, 100, Action.QUARANTINE));
    harness().index.catchUp(board, board.primary());
    harness().submit(board, score("a", 10));
    Outcome.Accepted held =
        PipelineCases.accepted(harness().submit(board, score("a", 500, null, "e1")));
    assertThat(held.effect()).isEqualTo(Outcome.Effect.HELD);
    assertThat(held.score()).isEqualTo(10);
    assertThat(effect(board, score("a", 500, null, "e1"))).isEqualTo(Outcome.Effect.DUPLICATE);
    assertThat(effect(board, score("b", 900))).isEqualTo(Outcome.Effect.HELD);
    harness().submit(board, score("a", 1));
    assertThat(scoreOf(board, "a")).isEqualTo(11);
    assertEqualsOracle(board);
    assertThat(anomalies(board, Anomaly.State.OPEN)).hasSize(2);

    decide(board, "a", held.line(), Command.Correction.RELEASE);
    assertThat(scoreOf(board, "a")).isEqualTo(511);
    decide(board, "a", held.line(), Command.Correction.RELEASE);
    assertThat(scoreOf(board, "a")).isEqualTo(511);
    long other = anomalies(board, Anomaly.State.OPEN).getFirst().line();
    decide(board, "b", other, Command.Correction.REVERT);
    assertThat(anomalies(board, Anomaly.State.OPEN)).isEmpty();
    assertThat(anomalies(board, Anomaly.State.REJECTED)).hasSize(1);
    assertEqualsOracle(board);
    restart();
    assertEqualsOracle(current(board));
  }

  @Test
  default void guard_velocity_countsWhatOtherNodesAndEarlierRunsTook() {
    Board board =
        guarded(
            "fast",
            Update.LATEST,
            new GuardRule(Kind.PER_MINUTE, 3, Action.FLAG),
            new GuardRule(Kind.PER_HOUR, 5, Action.REFUSE));
    for (int i = 0; i < 3; i++) {
      assertThat(effect(board, score("a", i))).isEqualTo(Outcome.Effect.APPLIED);
    }
    restart();
    Board again = current(board);
    assertThat(effect(again, score("a", 4))).isEqualTo(Outcome.Effect.APPLIED);
    assertThat(anomalies(again, Anomaly.State.OPEN)).hasSize(1);
    clock().turn(Duration.ofMinutes(2));
    assertThat(effect(again, score("a", 5))).isEqualTo(Outcome.Effect.APPLIED);
    assertThat(anomalies(again, Anomaly.State.OPEN)).hasSize(1);
    assertThat(PipelineCases.rejection(harness().submit(again, score("a", 6))))
        .isEqualTo(ErrorCode.ANOMALY_REFUSED);
    assertThat(effect(again, score("b", 6))).isEqualTo(Outcome.Effect.APPLIED);
    clock().turn(Duration.ofHours(1));
    assertThat(effect(again, score("a", 7))).isEqualTo(Outcome.Effect.APPLIED);
    assertEqualsOracle(again);
  }

  /** One batch of many equals many batches of one. */
  @Test
  default void guard_inOneBatch_countsItsOwnLines() {
    Board board = guarded("batch", Update.SUM, new GuardRule(Kind.PER_MINUTE, 3, Action.REFUSE));
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      commands.add(score("a", 1));
    }
    Reply reply = harness().await(new Request(board, commands, 1, false, null));
    assertThat(((Reply.Done) reply).outcomes().stream().filter(Outcome.Rejected.class::isInstance))
        .hasSize(3);
    assertThat(scoreOf(board, "a")).isEqualTo(3);
  }

  /** A deletion is one of the user's lines, and nobody judges it. */
  @Test
  default void guard_deletionInTheSameCommit_leavesTheHistoryAsItIs() {
    Board board = guarded("left", Update.SUM, new GuardRule(Kind.PER_MINUTE, 3, Action.REFUSE));
    for (int i = 0; i < 3; i++) {
      assertThat(effect(board, score("a", 1))).isEqualTo(Outcome.Effect.APPLIED);
    }
    Reply reply =
        harness()
            .await(
                new Request(
                    board, List.of(new Command.Delete("a"), score("a", 1)), 1, false, null));
    assertThat(((Reply.Done) reply).outcomes().getLast()).isInstanceOf(Outcome.Rejected.class);
    assertThat(PipelineCases.rejection(harness().submit(board, score("a", 1))))
        .isEqualTo(ErrorCode.ANOMALY_REFUSED);
  }

  /** A batch that is tried again in parts was not seen before: else everyone in it comes twice. */
  @Test
  default void guard_batchThatFailed_countsOnce() {
    Board board =
        guarded(
            "split",
            Update.SUM,
            new GuardRule(Kind.USERS_PER_ADDRESS, 2, Action.REFUSE),
            new GuardRule(Kind.JUMP, 100, Action.RECORD));
    harness().submit(board, score("a", 1), score("b", 1), score("c", 1));
    Request.Idempotency poison =
        new Request.Idempotency(
            "c",
            "k",
            Digest.of("p"),
            outcomes -> {
              throw new StoreException("told to fail", new IllegalStateException());
            });
    // It is refused for something else than its users, so they are not among those of the address.
    Reply reply =
        harness()
            .await(
                new Request(board, List.of(score("b", 900), score("c", 1)), 1, false, poison)
                    .from(address(5)));
    assertThat(PipelineCases.refusal(reply)).isEqualTo(ErrorCode.INTERNAL_ERROR);
    assertThat(harness().caught).isEmpty();
    for (String user : List.of("a", "d")) {
      Request request =
          new Request(board, List.of(score(user, 1)), 1, false, null).from(address(5));
      assertThat(PipelineCases.accepted(harness().await(request)).line()).isPositive();
    }
    assertEqualsOracle(board);
  }

  @Test
  default void guard_zScore_catchesWhatTheUserNeverDid() {
    Board board =
        guarded("odd", Update.SUM, new GuardRule(Kind.USER_Z_SCORE, 6, Action.QUARANTINE));
    for (int i = 0; i < 12; i++) {
      assertThat(effect(board, score("a", 10 + i % 3))).isEqualTo(Outcome.Effect.APPLIED);
    }
    assertThat(effect(board, score("a", 13))).isEqualTo(Outcome.Effect.APPLIED);
    assertThat(effect(board, score("a", 400))).isEqualTo(Outcome.Effect.HELD);
    assertThat(harness().caught).hasSize(1);
  }

  @Test
  default void guard_addresses_countsUsersOfOne() {
    Board board =
        guarded("farm", Update.SUM, new GuardRule(Kind.USERS_PER_ADDRESS, 2, Action.REFUSE));
    for (String user : List.of("a", "b", "a")) {
      Request request =
          new Request(board, List.of(score(user, 1)), 1, false, null).from(address(77));
      assertThat(PipelineCases.accepted(harness().await(request)).line()).isPositive();
    }
    Request third = new Request(board, List.of(score("c", 1)), 1, false, null);
    assertThat(PipelineCases.rejection(harness().await(third.from(address(77)))))
        .isEqualTo(ErrorCode.ANOMALY_REFUSED);
    assertThat(PipelineCases.accepted(harness().await(third.from(address(78)))).line())
        .isPositive();
  }

  /** Held, released, reverted and deleted in any order: what counts is what was let through. */
  @Test
  default void guard_randomDecisions_boardEqualsFoldOfWhatCounts(Random random) {
    for (Update update : Update.values()) {
      Board board =
          guarded("any-" + update, update, new GuardRule(Kind.JUMP, 30, Action.QUARANTINE));
      List<Anomaly> seen = new ArrayList<>();
      for (int round = 0; round < 120; round++) {
        String user = "u" + random.nextInt(5);
        if (random.nextInt(12) == 0) {
          harness().submit(board, new Command.Delete(user));
        } else if (random.nextInt(3) > 0 || seen.isEmpty()) {
          harness().submit(board, score(user, random.nextInt(60)));
        } else {
          Anomaly one = seen.get(random.nextInt(seen.size()));
          decide(
              board,
              harness().users.of(board.tenant()).id(one.user()),
              one.line(),
              random.nextBoolean() ? Command.Correction.RELEASE : Command.Correction.REVERT);
        }
        clock().turn(Duration.ofMillis(random.nextInt(3)));
        seen = store().read(tx -> tx.anomalies(board.id(), null, Long.MAX_VALUE, 1000));
      }
      assertEqualsOracle(board);
    }
  }

  private static String address(int number) {
    return "%016x".formatted(number);
  }
}
