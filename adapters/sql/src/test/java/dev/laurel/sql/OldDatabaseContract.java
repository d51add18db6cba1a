package dev.laurel.sql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.ErasedUser;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.Store;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A database that an earlier version has filled, up to the migration before seasons could be
 * settled, is opened by this one: nothing is lost, and it goes on.
 */
abstract class OldDatabaseContract {
  private static final long NOON = Instant.parse("2026-11-15T12:00:00Z").toEpochMilli();
  private static final long MIDNIGHT = Instant.parse("2026-11-15T00:00:00Z").toEpochMilli();
  private static final long DAY = 86_400_000;
  private static final long GRACE = DAY / 2 + DAY / 4;

  /** The smallest number, which SQL reads as the negative of one that is too large. */
  private static final String ALWAYS = "(-9223372036854775807 - 1)";

  /** Those of the daily window, one a day; the last but one is today's. */
  private static final List<SeasonStatus> DAYS =
      List.of(
          SeasonStatus.RESTORING,
          SeasonStatus.PURGING,
          SeasonStatus.PURGED,
          SeasonStatus.ARCHIVED,
          SeasonStatus.ARCHIVING,
          SeasonStatus.FINAL,
          SeasonStatus.FROZEN,
          SeasonStatus.COMPLETED,
          SeasonStatus.ACTIVE,
          SeasonStatus.SCHEDULED);

  final ManualClock clock = new ManualClock(Instant.ofEpochMilli(NOON));

  abstract DataSource source();

  abstract FluentConfiguration flyway();

  abstract Store open();

  /** Bytes in SQL, from their digits. */
  abstract String bytes(String hex);

  @Test
  void open_aDatabaseOfBeforeSeasonsWereSettled_keepsAllAndGoesOn() throws SQLException {
    flyway().target("21").load().migrate();
    fill();
    try (Store store = open()) {
      assertKept(store);
      assertGoesOn(store);
    }
  }

  private static long season(SeasonStatus status) {
    return 1L + DAYS.indexOf(status);
  }

  private static long start(SeasonStatus status) {
    return MIDNIGHT + (DAYS.indexOf(status) - DAYS.indexOf(SeasonStatus.ACTIVE)) * DAY;
  }

  private void fill() throws SQLException {
    try (Connection connection = source().getConnection();
        Statement sql = connection.createStatement()) {
      sql.execute("INSERT INTO meta VALUES ('shards', 2), ('epoch', 77), ('revision', 9)");
      sql.execute("INSERT INTO shards (shard, line) VALUES (0, 0), (1, 3)");
      sql.execute("INSERT INTO tenants (tenant_id, name, created_at) VALUES ('default', 'D', 1)");
      sql.execute(
          "INSERT INTO boards (tenant, leaderboard_id, uuid, shard, revision, version, created_by,"
              + " created_at) VALUES (1, 'L1', 'old', 1, 9, 2, 'me', 1)");
      for (int version = 1; version <= 2; version++) {
        sql.execute(
            ("INSERT INTO board_versions (board, version, name, rank_order, ties, update_mode,"
                    + " decimals, min_score, max_score, visibility, status, starts_at, ends_at,"
                    + " metadata, updated_at) VALUES (1, %d, 'Old', 'HIGHEST_FIRST',"
                    + " 'EARLIEST_FIRST', 'SUM', 0, 0, 1000000, 'PUBLIC', 'ACTIVE', "
                    + ALWAYS
                    + ", %d, '{}', 1)")
                .formatted(version, Long.MAX_VALUE));
        sql.execute(
            ("INSERT INTO board_windows (board, version, place, number, name, schedule, zone,"
                    + " until, grace, capacity) VALUES (1, %d, 0, 0, 'daily', 'daily', 'UTC',"
                    + " %d, %d, 0), (1, %d, 1, 1, 'all-time', 'all-time', 'UTC', %d, 0, 0)")
                .formatted(version, Long.MAX_VALUE, GRACE, version, Long.MAX_VALUE));
      }
      sql.execute(
          "INSERT INTO board_prizes (board, version, window_number, number, name, from_rank,"
              + " to_rank, percent, reward) VALUES (1, 1, 0, 0, 'tin', 1, 1, 0, NULL),"
              + " (1, 2, 0, 0, 'gold', 1, 1, 0, 'coins'), (1, 2, 0, 1, 'half', 0, 0, 5000, NULL)");
      for (SeasonStatus status : DAYS) {
        boolean over = status.compareTo(SeasonStatus.FINAL) >= 0;
        sql.execute(
            ("INSERT INTO seasons (board, window_number, label, starts_at, ends_at, grace,"
                    + " capacity, status, since, line, listed) VALUES"
                    + " (1, 0, '%s', %d, %d, %d, 0, '%s', 5, 3, %d)")
                .formatted(
                    "old-" + status,
                    start(status),
                    start(status) + DAY,
                    GRACE,
                    status,
                    over ? 0 : 1));
      }
      sql.execute(
          ("INSERT INTO seasons (board, window_number, label, starts_at, ends_at, grace, capacity,"
                  + " status, line) VALUES (1, 1, 'old-all-time', "
                  + ALWAYS
                  + ", %d, 0,"
                  + " 0, 'ACTIVE', 3)")
              .formatted(Long.MAX_VALUE));
      sql.execute("UPDATE seasons SET line = 0 WHERE status = 'SCHEDULED'");
      sql.execute("INSERT INTO users VALUES (1, 1, 'ann'), (1, 2, 'erased-0123456789abcdef')");
      for (SeasonStatus status : DAYS) {
        if (!status.isAway() && status != SeasonStatus.SCHEDULED) {
          sql.execute(
              ("INSERT INTO entries VALUES (%1$d, 1, 7, %2$d, %2$d, 2, 3, 0, '{\"a\":1}'),"
                      + " (%1$d, 2, 5, %2$d, %2$d, 1, 1, 0, NULL)")
                  .formatted(season(status), start(status) + 1));
        }
      }
      sql.execute(
          "INSERT INTO ledger (shard, line, board, user_number, kind, mode, value, event_at,"
              + " windows, version, previous, stamp, caller, event_id, metadata) VALUES"
              + " (1, 1, 1, 2, 0, 2, 5, 1, 1, 1, 0, 11, 0, NULL, NULL),"
              + " (1, 2, 1, 1, 0, 2, 7, 1, 1, 1, 0, 12, 0, 'e-2', '{\"a\":1}'),"
              + " (1, 3, 1, 1, 0, 2, 0, 1, 1, 1, 2, 13, 0, NULL, NULL)");
      for (SeasonStatus status :
          List.of(SeasonStatus.FINAL, SeasonStatus.ARCHIVING, SeasonStatus.ARCHIVED)) {
        sql.execute(
            ("INSERT INTO final_ranks VALUES (%1$d, 0, 1, 1, 7, %2$d, 0),"
                    + " (%1$d, 1, 2, 2, 5, %2$d, -1)")
                .formatted(season(status), start(status) + 1));
        sql.execute(
            "INSERT INTO season_prizes VALUES (%d, 0, 'tin', 1, 1, 0, NULL)"
                .formatted(season(status)));
      }
      String bytes = bytes("00112233445566778899aabbccddeeff");
      String others = bytes("ff112233445566778899aabbccddeeff");
      sql.execute(
          ("INSERT INTO ids (board, id_key, payload, line, effective, score, reached, created_at,"
                  + " answer) VALUES (1, %1$s, %1$s, 2, 1, 7, 1, 1, NULL),"
                  + " (1, %2$s, %1$s, 0, 1, 0, 0, 1, %1$s)")
              .formatted(bytes, others));
      sql.execute(
          "INSERT INTO season_archives VALUES (%d, 6, 2, 99, 'abc'), (%d, 6, 2, 99, 'def')"
              .formatted(season(SeasonStatus.ARCHIVED), season(SeasonStatus.PURGED)));
      sql.execute(
          "INSERT INTO user_profiles VALUES (1, 1, 'Ann', 0, 4, 0, 0, 1, 8),"
              + " (1, 2, NULL, 0, 0, 2, 0, 1, 9)");
    }
  }

  private static void assertKept(Store store) {
    List<Season> days = store.read(tx -> tx.seasonsBefore(1, 0, Long.MAX_VALUE, 100)).reversed();
    assertThat(days).extracting(Season::status).isEqualTo(DAYS);
    // What had ended stays ended.
    for (Season day : days) {
      assertThat(day.settled()).as(day.label()).isEqualTo(day.isOver());
    }
    assertThat(store.<List<PrizeTier>>read(tx -> tx.prizes(season(SeasonStatus.COMPLETED))))
        .extracting(PrizeTier::name, PrizeTier::reward)
        .containsExactly(tuple("gold", "coins"), tuple("half", null));
    assertThat(store.<List<PrizeTier>>read(tx -> tx.prizes(season(SeasonStatus.ACTIVE)))).isEmpty();
    for (SeasonStatus status : List.of(SeasonStatus.FINAL, SeasonStatus.ARCHIVED)) {
      assertThat(store.<List<FinalRank>>read(tx -> tx.finalRanks(season(status), 0, 10)))
          .extracting(FinalRank::user, FinalRank::score, FinalRank::prize)
          .containsExactly(tuple(1, 7L, 0), tuple(2, 5L, -1));
      assertThat(store.<List<PrizeTier>>read(tx -> tx.prizes(season(status))))
          .extracting(PrizeTier::name)
          .containsExactly("tin");
    }
    Entry entry =
        store.read(tx -> tx.entries(season(SeasonStatus.ACTIVE), new int[] {1}).getFirst());
    assertThat(entry).extracting(Entry::score, Entry::metadata).containsExactly(7L, "{\"a\":1}");
    assertThat(store.<List<LedgerLine>>read(tx -> tx.lines(1, 0, 100, 100)))
        .extracting(LedgerLine::line, LedgerLine::value, LedgerLine::eventId)
        .containsExactly(tuple(1L, 5L, null), tuple(2L, 7L, "e-2"), tuple(3L, 0L, null));
    assertThat(store.<List<Profile>>read(tx -> tx.profilesSince(0)))
        .extracting(Profile::displayName, Profile::state)
        .containsExactly(tuple("Ann", Profile.State.KEPT), tuple(null, Profile.State.ERASED));
    assertThat(store.<List<ErasedUser>>read(tx -> tx.erasedSince(0)))
        .containsExactly(new ErasedUser(1, 2, "erased-0123456789abcdef", null, 9));
    // Nobody knows whether the event had a time: its id stays. An answer goes when it is due.
    IdChunk.Times late = new IdChunk.Times(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(store.<IdChunk>read(tx -> tx.idChunk(1, null, late, 100)).old()).isEqualTo(1);
    ArchiveRecord archive =
        requireNonNull(store.read(tx -> tx.archive(season(SeasonStatus.PURGED))));
    assertThat(archive)
        .isEqualTo(new ArchiveRecord(season(SeasonStatus.PURGED), 6, 2, 99, "def", 0));
  }

  private void assertGoesOn(Store store) {
    try (Harness harness = new Harness(store, clock)) {
      Board board = harness.boards.require(1, "old");
      assertThat(board.windows().getFirst().prizes()).hasSize(2);
      Reply reply = harness.submit(board, Harness.score("ann", 3), Harness.score("bob", 9));
      assertThat(((Reply.Done) reply).outcomes()).allMatch(Outcome.Accepted.class::isInstance);
      clock.set(Instant.ofEpochMilli(NOON + DAY));
      harness.seasons.turn();
      harness.finals.writeAll(() -> false);
      assertThat(harness.failures).isEmpty();
      for (SeasonStatus former : List.of(SeasonStatus.FROZEN, SeasonStatus.COMPLETED)) {
        Season now = store.<@Nullable Season>read(tx -> tx.season(season(former)));
        assertThat(Objects.requireNonNull(now).status()).isEqualTo(SeasonStatus.FINAL);
      }
      // By the tiers that held when the season ended.
      assertThat(
              store.<List<FinalRank>>read(
                  tx -> tx.finalRanks(season(SeasonStatus.COMPLETED), 0, 10)))
          .extracting(FinalRank::user, FinalRank::prize)
          .containsExactly(tuple(1, 0), tuple(2, -1));
      Season today = store.read(tx -> tx.season(season(SeasonStatus.ACTIVE)));
      assertThat(today).extracting(Season::status).isEqualTo(SeasonStatus.COMPLETED);
      List<@Nullable Entry> entries =
          store.read(tx -> tx.entries(season(SeasonStatus.ACTIVE), new int[] {1, 3}));
      assertThat(entries).extracting(Entry::score).containsExactly(10L, 9L);
    }
  }
}
