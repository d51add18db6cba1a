package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people ask of the archive. A request is a step of the season, kept in the store; the {@link
 * SeasonArchiver} does the work at its next turn. Blocking. Thread-safe.
 */
public final class ArchiveRequests {
  private static final int MAX_SEASONS = 10_000;

  private final Store store;
  private final BoardDirectory directory;
  private final Boards boards;
  private final ArchiveProgress progress;

  public ArchiveRequests(
      Store store, BoardDirectory directory, Boards boards, ArchiveProgress progress) {
    this.store = store;
    this.directory = directory;
    this.boards = boards;
    this.progress = progress;
  }

  /**
   * A season and how its archive is.
   *
   * @param record null if it has none yet
   * @param state null if nothing is being done to it
   */
  public record Overview(
      Board board,
      Season season,
      @Nullable ArchiveRecord record,
      ArchiveProgress.@Nullable State state) {}

  /** Those of a tenant that were archived, by their numbers, after this one. */
  public List<Overview> list(long tenant, long after, int limit) {
    return store.read(
        tx -> {
          List<Overview> found = new ArrayList<>();
          for (ArchiveRecord record : tx.archives(tenant, after, limit)) {
            Season season = tx.season(record.season());
            Board board = season == null ? null : directory.find(season.board());
            if (season != null && board != null) {
              found.add(new Overview(board, season, record, progress.of(season)));
            }
          }
          return found;
        });
  }

  public Overview look(Board board, Season season) {
    return store.read(
        tx -> {
          Season now = tx.season(season.id());
          return new Overview(
              board, now == null ? season : now, tx.archive(season.id()), progress.of(season));
        });
  }

  /** Every season of a tenant whose ranks are final, whatever its age. */
  public List<Overview> archiveAll(long tenant) {
    List<Season> waiting =
        store.read(tx -> tx.seasonsIn(SeasonStatus.FINAL, Long.MAX_VALUE, true, MAX_SEASONS));
    List<Overview> asked = new ArrayList<>();
    for (Season season : waiting) {
      Board board = directory.find(season.board());
      if (board != null && board.tenant() == tenant) {
        try {
          asked.add(archive(board, season));
        } catch (RejectedException e) {
          // A revert was faster: it is not final any more, and the others still are.
        }
      }
    }
    return asked;
  }

  /** At the next turn; does nothing to one that is archived. */
  public Overview archive(Board board, Season season) {
    return move(
        board,
        season,
        SeasonStatus.FINAL,
        SeasonStatus.ARCHIVING,
        EnumSet.range(SeasonStatus.ARCHIVING, SeasonStatus.RESTORING));
  }

  /** Brings the rows back; does nothing if they are here. */
  public Overview restore(Board board, Season season) {
    return move(
        board,
        season,
        SeasonStatus.PURGED,
        SeasonStatus.RESTORING,
        EnumSet.of(SeasonStatus.ARCHIVED, SeasonStatus.RESTORING));
  }

  /**
   * @param fine where nothing needs to be done
   */
  private Overview move(
      Board board, Season season, SeasonStatus from, SeasonStatus to, Set<SeasonStatus> fine) {
    store.write(
        tx -> {
          tx.lockShard(board.shard());
          Season now = tx.season(season.id());
          if (now != null && now.status() == from) {
            tx.updateSeason(now.withStatus(to));
          } else if (now == null || !fine.contains(now.status())) {
            throw Rejection.expectation(
                    ErrorCode.ILLEGAL_STATUS_CHANGE,
                    "season",
                    now == null ? "gone" : now.status(),
                    from.name())
                .asException();
          }
          return true;
        });
    progress.retry(season);
    boards.follow();
    return look(board, season);
  }
}
