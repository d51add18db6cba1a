package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.query.Rankings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a submission does and where it goes, seen from outside. */
interface ScoreCases extends PipelineCases {
  @ParameterizedTest
  @EnumSource(Ties.class)
  default void submit_randomCommands_boardEqualsFoldOverLedger(Ties ties, Random random) {
    assertRandomBoards("random-", 6, 60, 8, ties, random, board -> commands(random));
  }

  /**
   * Requests of commands at random, several at once, on boards of every kind: whatever came of it
   * is what the ledger says, also after a restart.
   *
   * @param most requests at once
   */
  default void assertRandomBoards(
      String name,
      int runs,
      int rounds,
      int most,
      Ties ties,
      Random random,
      Function<Board, List<Command>> commands) {
    for (int run = 0; run < runs; run++) {
      Board board =
          harness()
              .board(
                  name + run,
                  random.nextBoolean() ? Order.HIGHEST_FIRST : Order.LOWEST_FIRST,
                  ties,
                  List.of(Update.values()).get(random.nextInt(3)),
                  new Bounds(-50, 200));
      for (int round = 0; round < rounds; round++) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = random.nextInt(most); i >= 0; i--) {
          replies.add(
              harness()
                  .pipeline
                  .submit(
                      new Request(board, commands.apply(board), 7, random.nextBoolean(), null)));
        }
        replies.forEach(r -> assertThat(r.join()).isInstanceOf(Reply.Done.class));
        clock().turn(Duration.ofMillis(random.nextInt(4)));
      }
      assertEqualsOracle(board);
    }
    List<Board> boards = List.copyOf(harness().directory.all());
    restart();
    boards.forEach(board -> assertEqualsOracle(current(board)));
  }

  /** Large enough that its next state of the index is drafted while it is stored. */
  @Test
  default void submit_largeBatches_boardEqualsFoldOverLedger(Random random) {
    Board board =
        harness()
            .board(
                "large",
                Order.HIGHEST_FIRST,
                Ties.EARLIEST_FIRST,
                Update.LATEST,
                new Bounds(0, 1_000));
    for (int round = 0; round < 5; round++) {
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 1_500; i++) {
        commands.add(score("user-" + random.nextInt(2_000), random.nextInt(90)));
      }
      Request request = new Request(board, commands, 7, true, null);
      assertThat(harness().pipeline.submit(request).join()).isInstanceOf(Reply.Done.class);
      clock().turn(Duration.ofMillis(1));
    }
    assertEqualsOracle(board);
  }

  @Test
  default void submit_acknowledged_isVisibleToTheNextRead() {
    Board board = harness().board("visible", Update.LATEST);
    harness().index.catchUp(board, board.primary());
    for (int i = 1; i <= 200; i++) {
      Reply reply = harness().submit(board, score("u" + i, i));
      assertThat(PipelineCases.accepted(reply).rank()).isEqualTo(1);
      assertThat(
              harness()
                  .rankings
                  .answer(board, board.primary(), List.of(), view -> view.ranking().size()))
          .isEqualTo(new Rankings.Answer<>((long) i, Rankings.Source.INDEX));
    }
    assertThat(harness().index.loads()).isEqualTo(1);
  }

  @Test
  default void submit_oneBadLine_doesNotFailTheOthers() {
    Board board =
        harness()
            .board("mixed", Order.HIGHEST_FIRST, Ties.SHARED, Update.LATEST, new Bounds(0, 10));
    Reply reply =
        harness()
            .submit(
                board,
                score("a", 1),
                score("", 2),
                score("b", 11),
                new Command.Delete("x"),
                score("c", 3));
    assertThat(reply).isInstanceOf(Reply.Done.class);
    List<Outcome> outcomes = ((Reply.Done) reply).outcomes();
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Accepted.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Rejected.class);
    assertThat(outcomes.get(4)).isInstanceOf(Outcome.Accepted.class);
    assertEqualsOracle(board);
  }

  @Test
  default void submit_boardPausedMeanwhile_isRefused() {
    Board board = harness().board("paused", Update.SUM);
    harness().boards.change(board, BoardChange.status(BoardStatus.PAUSED), null, b -> new byte[0]);
    // The caller still holds the version that was active.
    assertThat(PipelineCases.refusal(harness().submit(board, score("a", 1))))
        .isEqualTo(ErrorCode.BOARD_NOT_ACTIVE);
  }

  @Test
  default void submit_outsideTheSeason_saysWhy() {
    Board made = harness().board("times", Update.LATEST);
    long now = clock().millis();
    harness()
        .boards
        .change(
            made,
            new BoardChange(null, null, now - 10_000, now + 10_000, null, null, null, null, null),
            null,
            b -> new byte[0]);
    Board board = harness().boards.require(made.tenant(), "times");
    assertThat(PipelineCases.rejection(harness().submit(board, score("a", 1, now - 20_000, null))))
        .isEqualTo(ErrorCode.SEASON_NOT_STARTED);
    assertThat(PipelineCases.rejection(harness().submit(board, score("a", 1, now + 20_000, null))))
        .isEqualTo(ErrorCode.SEASON_CLOSED);
    assertThat(PipelineCases.rejection(harness().submit(board, score("a", 1, now + 400_000, null))))
        .isEqualTo(ErrorCode.TIME_IN_FUTURE);
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 1))).score()).isEqualTo(1);
    clock().turn(Duration.ofMillis(10_000 + Board.DEFAULT_GRACE - 1));
    assertThat(
            PipelineCases.accepted(harness().submit(board, score("a", 2, now + 9_999, null)))
                .score())
        .isEqualTo(2);
    clock().turn(Duration.ofMillis(1));
    assertThat(PipelineCases.rejection(harness().submit(board, score("a", 3, now + 9_999, null))))
        .isEqualTo(ErrorCode.SEASON_CLOSED);
  }

  @Test
  default void submit_withoutTimeAfterAFastClock_neverLoses() {
    Board board = harness().board("fast-clock", Update.LATEST);
    harness().submit(board, score("a", 1, clock().millis() + 200_000, null));
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 2))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertThat(scoreOf(board, "a")).isEqualTo(2);
  }

  @Test
  default void delete_thenOlderLatest_staysDeleted() {
    Board board = harness().board("deleted", Update.LATEST);
    long early = clock().millis();
    harness().submit(board, score("a", 5));
    clock().turn(Duration.ofSeconds(1));
    assertThat(PipelineCases.accepted(harness().submit(board, new Command.Delete("a"))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 9, early, null))).effect())
        .isEqualTo(Outcome.Effect.UNCHANGED);
    assertThat(PipelineCases.rejection(harness().submit(board, new Command.Delete("a"))))
        .isEqualTo(ErrorCode.USER_NOT_FOUND);
    assertEqualsOracle(board);
    assertThat(PipelineCases.accepted(harness().submit(board, score("a", 7))).effect())
        .isEqualTo(Outcome.Effect.APPLIED);
    assertEqualsOracle(board);
  }

  default List<Command> commands(Random random) {
    List<Command> commands = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      String user = "u" + random.nextInt(40);
      if (random.nextInt(15) == 0) {
        commands.add(new Command.Delete(user));
        continue;
      }
      Long at = random.nextInt(3) == 0 ? clock().millis() + random.nextInt(2000) - 1500 : null;
      Update mode = random.nextInt(3) == 0 ? List.of(Update.values()).get(random.nextInt(3)) : null;
      String id = random.nextInt(4) == 0 ? "e" + random.nextInt(60) : null;
      String metadata = random.nextInt(5) == 0 ? "{\"n\":1}" : null;
      commands.add(
          new Command.Score(
              user, Integer.toString(random.nextInt(60) - 10), mode, at, id, metadata));
    }
    return commands;
  }
}
