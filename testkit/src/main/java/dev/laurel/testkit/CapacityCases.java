package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.BoardChange;
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
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.FinalRank;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Seasons with a limited number of places, of which the index holds only the best. */
interface CapacityCases extends PipelineCases {
  static WindowDefinition places(@Nullable Integer capacity, PrizeTier... prizes) {
    return new WindowDefinition(
        "daily", new Schedule.Daily(), null, null, null, capacity, List.of(prizes));
  }

  /** Users {@code u0}, {@code u1} ... with as many points as their number. */
  private void fill(Board board, int users) {
    for (int from = 0; from < users; from += 1000) {
      Command[] commands = new Command[Math.min(1000, users - from)];
      for (int i = 0; i < commands.length; i++) {
        commands[i] = score("u" + (from + i), from + i);
      }
      assertThat(harness().submit(board, commands)).isInstanceOf(Reply.Done.class);
    }
  }

  /** More users than the index holds, who rise, drop and go; trims come when they come. */
  @ParameterizedTest
  @EnumSource(Ties.class)
  default void capacity_randomCommands_indexStoreAndOracleAgree(Ties ties, Random random) {
    for (int run = 0; run < 4; run++) {
      Board board =
          harness()
              .board(
                  "capped-" + run,
                  random.nextBoolean() ? Order.HIGHEST_FIRST : Order.LOWEST_FIRST,
                  ties,
                  List.of(Update.values()).get(random.nextInt(3)),
                  new Bounds(-1000, 1000),
                  places(1 + random.nextInt(random.nextBoolean() ? 5 : 90)));
      for (int round = 0; round < 16; round++) {
        List<Command> commands = new ArrayList<>();
        for (int i = random.nextInt(120); i >= 0; i--) {
          commands.add(command(random));
        }
        if (random.nextInt(4) == 0) {
          commands.addAll(dropOfTheBest(board, random));
        }
        Request request = new Request(board, commands, 7, random.nextBoolean(), null);
        assertThat(harness().await(request)).isInstanceOf(Reply.Done.class);
        // Not only at rest: the answer is right wherever the follower stands.
        List<BoardOracle.Row> all = oracle(board);
        UserDictionary users = harness().users.of(board.tenant());
        check(new RankingCheck(all, board.primary().capacity(), users), board, all, 9);
        if (random.nextInt(3) == 0) {
          harness().index.catchUp(board, board.primary());
        }
        clock().turn(Duration.ofMillis(random.nextInt(4)));
      }
      assertEqualsOracle(board);
    }
    assertThat(harness().failures).isEmpty();
    List<Board> boards = List.copyOf(harness().directory.all());
    restart();
    boards.forEach(board -> assertEqualsOracle(current(board)));
  }

  private List<BoardOracle.Row> oracle(Board board) {
    var lines = store().read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE));
    UserDictionary users = harness().users.of(board.tenant());
    return BoardOracle.rank(board, BoardOracle.fold(board, lines), users);
  }

  private static Command command(Random random) {
    String user = "u" + random.nextInt(400);
    if (random.nextInt(20) == 0) {
      return new Command.Delete(user);
    }
    Update mode = random.nextInt(3) == 0 ? List.of(Update.values()).get(random.nextInt(3)) : null;
    return new Command.Score(
        user, Integer.toString(random.nextInt(120) - 40), mode, null, null, null);
  }

  /** So many that none of those whom the index holds may be left. */
  private List<Command> dropOfTheBest(Board board, Random random) {
    List<BoardOracle.Row> all = oracle(board);
    int count = Math.min(all.size(), random.nextInt(250));
    long worst = board.order() == Order.HIGHEST_FIRST ? -900 : 900;
    List<Command> commands = new ArrayList<>();
    for (BoardOracle.Row row : all.subList(0, count)) {
      commands.add(
          random.nextBoolean()
              ? new Command.Delete(row.userId())
              : new Command.Score(
                  row.userId(), Long.toString(worst), Update.LATEST, null, null, null));
    }
    return commands;
  }

  @Test
  default void capacity_manyUsers_indexHoldsAFewTimesThePlaces() {
    replace(new Harness(store(), clock()));
    Board board = harness().board("large", Update.LATEST, places(100));
    fill(board, 20_000);
    harness().index.catchUp(board, board.primary());
    assertThat(harness().index.size(board.primary())).isBetween(100L, 400L);
    assertThat(harness().index.loads()).as("trimmed, never built").isZero();
    restart();
    replace(new Harness(store(), clock()));
    Board again = current(board);
    harness().index.catchUp(again, again.primary());
    assertThat(harness().index.size(again.primary())).isBetween(100L, 400L);
    assertThat(PipelineCases.rankOf(harness(), again, "u19900")).isEqualTo(100);
    assertThat(PipelineCases.rankOf(harness(), again, "u19899")).isEqualTo(Ranking.OUTSIDE);
    assertThat(PipelineCases.rankOf(harness(), again, "u0")).isEqualTo(Ranking.OUTSIDE);
    assertThat(PipelineCases.rankOf(harness(), again, "nobody")).isZero();
    long stored = store().read(tx -> tx.ranks().count(again.primary().id()));
    assertThat(stored).isEqualTo(20_000);
  }

  @Test
  default void capacity_tooManyDrop_isRefilledFromTheStore() {
    replace(new Harness(store(), clock()));
    Board board = harness().board("drop", Update.LATEST, places(3));
    fill(board, 500);
    harness().index.catchUp(board, board.primary());
    Command[] drops = new Command[300];
    for (int i = 0; i < drops.length; i++) {
      drops[i] = i % 2 == 0 ? new Command.Delete("u" + (499 - i)) : score("u" + (499 - i), 0);
    }
    harness().submit(board, drops);
    assertThat(PipelineCases.rankOf(harness(), board, "u199")).isEqualTo(1);
    assertEqualsOracle(board);
    assertThat(harness().index.loads()).as("what was below the floor has to be read").isEqualTo(1);
  }

  @Test
  default void submit_outside_isSaidInTheReplyAlsoOfAKey() {
    Board board = harness().board("reply", Update.LATEST, places(2));
    fill(board, 300);
    assertThat(PipelineCases.accepted(harness().submit(board, score("new", 5))).rank())
        .isEqualTo(Ranking.OUTSIDE);
    assertThat(PipelineCases.accepted(harness().submit(board, score("u290", 291))).rank())
        .as("held by the index, and without a place")
        .isEqualTo(Ranking.OUTSIDE);
    assertThat(PipelineCases.accepted(harness().submit(board, score("new", 1000))).rank())
        .isEqualTo(1);
    var key =
        new Request.Idempotency(
            "caller",
            "key",
            Digest.of("payload"),
            outcomes -> outcomes.getFirst().toString().getBytes(StandardCharsets.UTF_8));
    restart();
    Board again = current(board);
    harness().index.catchUp(again, again.primary());
    assertThat(PipelineCases.accepted(harness().submit(again, key, score("u1", 2))).rank())
        .isEqualTo(Ranking.OUTSIDE);
    assertThat(PipelineCases.accepted(harness().submit(again, new Command.Delete("u2"))).rank())
        .as("gone is not outside")
        .isZero();
  }

  @Test
  default void capacity_edited_countsForTheRunningSeason() {
    Board board = harness().board("edited", Update.LATEST, places(3));
    fill(board, 300);
    for (Integer capacity : new Integer[] {200, 2, null, 10}) {
      harness()
          .boards
          .change(
              current(board),
              new BoardChange(
                  null, null, null, null, null, null, List.of(places(capacity)), null, null),
              null,
              b -> new byte[0]);
      Board edited = current(board);
      assertThat(edited.primary().capacity()).isEqualTo(capacity == null ? 0 : capacity);
      long size =
          harness().rankings.ask(edited, edited.primary(), List.of(), v -> v.ranking().size());
      assertThat(size).isEqualTo(capacity == null ? 300 : capacity);
      harness().submit(edited, score("u7", 7));
      assertEqualsOracle(edited);
    }
  }

  @Test
  default void freeze_withCapacity_keepsThePlacesAndKnowsWhoWasOutside() {
    clock().set(Instant.parse("2026-11-15T12:00:00Z"));
    Board board =
        harness().board("day", Update.LATEST, places(4, new PrizeTier("half", 0, 0, 5000, null)));
    fill(board, 300);
    Season day = current(board).primary();
    var before = harness().rankings.prizes(board, day);
    clock().set(Instant.parse("2026-11-16T12:00:00Z"));
    harness().seasons.turn();
    harness().finals.writeAll(() -> false);
    Season over = store().read(tx -> tx.season(day.id()));
    assertThat(over).isNotNull();
    List<FinalRank> ranks = store().read(tx -> tx.finalRanks(day.id(), 0, 1000));
    assertThat(ranks).as("everybody is told for ever").hasSize(300);
    assertThat(ranks)
        .filteredOn(r -> r.prize() == 0)
        .extracting(FinalRank::rank)
        .containsExactly(1L, 2L);
    assertThat(ranks.subList(2, 300)).extracting(FinalRank::prize).containsOnly(PrizeTier.NONE);
    assertThat(harness().rankings.prizes(current(board), over)).isEqualTo(before);
    List<BoardOracle.Row> all = oracle(board);
    List<String> ids = all.stream().map(BoardOracle.Row::userId).toList();
    UserDictionary users = harness().users.of(board.tenant());
    var answer =
        harness()
            .rankings
            .answer(
                current(board),
                over,
                ids,
                view -> {
                  new RankingCheck(all, 4, users).check(view.ranking(), 7);
                  return true;
                });
    assertThat(answer.source()).isEqualTo(Rankings.Source.FINAL);
  }
}
