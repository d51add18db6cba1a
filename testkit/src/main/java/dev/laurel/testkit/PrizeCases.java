package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.query.Pages;
import dev.laurel.core.query.Prizes;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever asks who wins what hears the same, wherever it is asked. */
interface PrizeCases extends SeasonCases {
  /** What is won by whom, in the order of the ranks, without those who win nothing. */
  record Won(String userId, long rank, String tier) {}

  @ParameterizedTest
  @EnumSource(Ties.class)
  default void prizes_randomFieldsWithTiesPlacesAndErasures_areTheSameEverywhere(
      Ties ties, Random random) {
    for (int run = 0; run < 12; run++) {
      clock().set(Instant.parse("2026-11-15T12:00:00Z").plus(Duration.ofDays(3L * run)));
      int people = 1 + random.nextInt(40);
      Integer capacity = random.nextBoolean() ? null : 1 + random.nextInt(people);
      WindowDefinition daily =
          new WindowDefinition(
              "d", new Schedule.Daily(), "UTC", null, Duration.ofHours(1), capacity, tiers(random));
      Board board =
          harness()
              .board(
                  "prizes-" + run,
                  random.nextBoolean() ? Order.HIGHEST_FIRST : Order.LOWEST_FIRST,
                  ties,
                  Update.LATEST,
                  new Bounds(-100, 100),
                  daily);
      Command[] scores = new Command[people];
      for (int i = 0; i < people; i++) {
        // The same time for many, so that ids decide.
        scores[i] = score("r" + run + "u" + i, random.nextInt(6));
      }
      harness().submit(board, scores);
      erase(random, run, people);
      Season day = now(board).seasons().getFirst();
      harness().index.catchUp(now(board), day);
      List<Won> running = winners(now(board), day);
      assertThat(exported(now(board), day)).as("export, run %d", run).isEqualTo(running);

      clock().turn(Duration.ofHours(12).plusMinutes(1));
      harness().seasons.turn();
      if (random.nextBoolean()) {
        erase(random, run, people);
      }
      clock().turn(Duration.ofHours(2));
      harness().seasons.turn();
      harness().finals.writeAll(() -> false);
      Season over = store().read(tx -> tx.season(day.id()));
      assertThat(over).isNotNull();
      assertThat(over.status()).isEqualTo(SeasonStatus.FINAL);
      List<Won> kept = kept(over, daily.prizes());
      assertThat(kept).extracting(Won::tier).isEqualTo(tiersOf(running));
      assertThat(winners(now(board), over)).as("final, run %d", run).isEqualTo(kept);
      assertThat(exported(now(board), over)).as("final export, run %d", run).isEqualTo(kept);

      erase(random, run, people);
      List<Won> renamed = kept(over, daily.prizes());
      assertThat(renamed).extracting(Won::tier).isEqualTo(tiersOf(running));
      assertThat(winners(now(board), over)).as("erased, run %d", run).isEqualTo(renamed);
      assertThat(exported(now(board), over)).as("erased export, run %d", run).isEqualTo(renamed);
      for (Won won : renamed) {
        assertThat(harness().rankings.prize(now(board), over, won.userId))
            .hasValueSatisfying(
                prize -> {
                  assertThat(prize.tier().name()).isEqualTo(won.tier);
                  assertThat(prize.rank()).isEqualTo(won.rank);
                });
      }
    }
  }

  private static List<String> tiersOf(List<Won> winners) {
    return winners.stream().map(Won::tier).toList();
  }

  private static List<PrizeTier> tiers(Random random) {
    List<PrizeTier> tiers = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int from = 1 + random.nextInt(12);
      tiers.add(
          random.nextBoolean()
              ? new PrizeTier("share-" + i, 0, 0, 1 + random.nextInt(10_000), null)
              : new PrizeTier("ranks-" + i, from, from + random.nextInt(5), 0, null));
    }
    return tiers;
  }

  private void erase(Random random, int run, int people) {
    for (int i = random.nextInt(3); i > 0; i--) {
      String userId = "r" + run + "u" + random.nextInt(people);
      if (harness().users.of(Tenant.DEFAULT).find(userId) != 0) {
        harness().erasure.erase(Tenant.DEFAULT, userId, 1);
      }
    }
  }

  private List<Won> winners(Board board, Season season) {
    List<Won> all = new ArrayList<>();
    while (true) {
      Prizes page = harness().rankings.prizes(board, season, new Prizes.Part(all.size(), 3));
      for (Prizes.Winner winner : page.winners()) {
        all.add(new Won(winner.userId(), winner.rank(), page.tiers().get(winner.tier()).name()));
      }
      if (page.winners().isEmpty()) {
        assertThat(page.total()).isEqualTo(all.size());
        return all;
      }
    }
  }

  private List<Won> exported(Board board, Season season) {
    List<Won> all = new ArrayList<>();
    Pages pages = harness().rankings.pages(board, season);
    for (List<Pages.Row> rows = pages.next(); !rows.isEmpty(); rows = pages.next()) {
      for (Pages.Row row : rows) {
        String prize = row.prize();
        if (prize != null) {
          all.add(new Won(row.userId(), row.rank(), prize));
        }
      }
    }
    return all;
  }

  private List<Won> kept(Season season, List<PrizeTier> tiers) {
    UserDictionary users = harness().users.of(Tenant.DEFAULT);
    return store().<List<FinalRank>>read(tx -> tx.finalRanks(season.id(), 0, 1000)).stream()
        .filter(rank -> rank.prize() != PrizeTier.NONE)
        .map(rank -> new Won(users.id(rank.user()), rank.rank(), tiers.get(rank.prize()).name()))
        .toList();
  }
}
