package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.store.WriteTransaction.Removal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of seasons that are over. */
interface ArchiveCases extends StoreCases {
  private List<Season> in(SeasonStatus status, long since, boolean listed) {
    return store().read(tx -> tx.seasonsIn(status, since, listed, 10));
  }

  private @Nullable ArchiveRecord archive(long season) {
    return store().read(tx -> tx.archive(season));
  }

  private List<ArchiveRecord> archives(long tenant, long after) {
    return store().read(tx -> tx.archives(tenant, after, 10));
  }

  private List<FinalRank> finalRanks(long season) {
    return store().read(tx -> tx.finalRanks(season, 0, 100));
  }

  private void move(Season season, SeasonStatus to) {
    write(tx -> tx.updateSeason(season.withStatus(to)));
  }

  @Test
  default void seasonsIn_byStatus_remembersSinceWhen() {
    Board board = Samples.create(store(), Samples.board("b"));
    Season season = board.seasons().getFirst();
    long before = store().read(tx -> tx.now());
    move(season, SeasonStatus.FINAL);
    long after = store().read(tx -> tx.now());
    assertThat(in(SeasonStatus.FINAL, before - 1, true)).isEmpty();
    assertThat(in(SeasonStatus.FINAL, after, true)).extracting(Season::id).contains(season.id());
    // The newest of its window is listed.
    assertThat(in(SeasonStatus.FINAL, after, false)).isEmpty();
    move(season, SeasonStatus.ARCHIVED);
    assertThat(in(SeasonStatus.FINAL, Long.MAX_VALUE, true)).isEmpty();
    assertThat(in(SeasonStatus.ARCHIVED, Long.MAX_VALUE, true)).hasSize(1);
  }

  @Test
  default void putArchive_again_replaces() {
    Board board = Samples.create(store(), Samples.board("b"));
    long season = board.seasons().getFirst().id();
    assertThat(archive(season)).isNull();
    write(tx -> tx.putArchive(new ArchiveRecord(season, 1, 2, 3, "a", 0)));
    ArchiveRecord second = new ArchiveRecord(season, Long.MAX_VALUE, 0, 1L << 40, "b", 7);
    write(tx -> tx.putArchive(second));
    assertThat(archive(season)).isEqualTo(second);
    assertThat(archives(Tenant.DEFAULT, 0)).containsExactly(second);
    assertThat(archives(Tenant.DEFAULT, season)).isEmpty();
    assertThat(archives(Tenant.DEFAULT + 1, 0)).isEmpty();
  }

  /** Also those that were put off, and also after they would have been moved. */
  @Test
  default void removeRows_untilDone_leavesTheOtherSeasonOnly() {
    List<FinalRank> ranks = new ArrayList<>();
    List<EntryWrite> writes = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      ranks.add(new FinalRank(i + 1, i, i + 1, -i, 5, -1));
      writes.add(new EntryWrite(7, i + 1, Samples.entry(-i, 5)));
      writes.add(new EntryWrite(8, i + 1, Samples.entry(i, 5)));
    }
    write(
        tx -> {
          tx.putEntries(writes);
          tx.appendFinalRanks(7, ranks);
          tx.appendFinalRanks(8, ranks);
        });
    Removal removal;
    int steps = 0;
    do {
      removal = store().write(tx -> tx.removeRows(7, 10));
      long left = store().read(tx -> tx.finalCount(7));
      assertThat(finalRanks(7)).hasSize((int) left);
    } while (!removal.done() && ++steps < 100);
    assertThat(removal.done()).isTrue();
    for (int look = 0; look < 2; look++) {
      assertThat(count(7)).isZero();
      List<@Nullable Entry> entries = store().read(tx -> tx.entries(7, new int[] {1, 25}));
      assertThat(entries).containsOnlyNulls();
      assertThat(count(8)).isEqualTo(25);
      assertThat(finalRanks(8)).hasSize(25);
      reopen();
    }
  }
}
