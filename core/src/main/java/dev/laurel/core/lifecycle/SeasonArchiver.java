package dev.laurel.core.lifecycle;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Window;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.store.WriteTransaction.Removal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes seasons that are over to the archive, removes them from the hot tables when they have been
 * there long enough, and brings them back when somebody asks. What is to be done is the season's
 * status, in the store; every change of it is a short step under the shard's lock, and the long
 * work between two of them can be done again or by several at once without harm. So whoever is
 * killed is replaced by the next turn, here or on another node. Thread-safe.
 */
public final class SeasonArchiver {
  private static final int CHUNK = StoredRows.CHUNK;
  private static final int SEASONS_AT_ONCE = 100;

  /** Where final ranks are complete, and may be archived. */
  private static final Set<SeasonStatus> ARCHIVABLE =
      EnumSet.of(SeasonStatus.FINAL, SeasonStatus.ARCHIVING);

  private static final Set<SeasonStatus> ARCHIVED = EnumSet.of(SeasonStatus.ARCHIVED);

  private final Store store;
  private final BoardDirectory directory;
  private final Boards boards;
  private final Users users;
  private final Archives archives;
  private final Times times;
  private final ArchiveProgress progress;

  public SeasonArchiver(
      Store store,
      BoardDirectory directory,
      Boards boards,
      Users users,
      Archives archives,
      Times times,
      ArchiveProgress progress) {
    this.store = store;
    this.directory = directory;
    this.boards = boards;
    this.users = users;
    this.archives = archives;
    this.times = times;
    this.progress = progress;
  }

  /**
   * How long a season stays, in milliseconds; {@link #NEVER} for ever.
   *
   * @param archiveAfter since it became final
   * @param purgeAfter since it was archived or restored
   */
  public record Times(long archiveAfter, long purgeAfter) {
    public static final long NEVER = Long.MAX_VALUE;

    private static boolean isOver(long after) {
      return after != NEVER;
    }
  }

  /**
   * Does what is due, and what was asked for, until nothing is left of it. Blocks.
   *
   * @param stop asked between chunks
   */
  public void turn(BooleanSupplier stop) {
    boards.follow();
    long now = store.read(tx -> tx.now());
    each(SeasonStatus.RESTORING, now, true, stop, this::restore);
    each(SeasonStatus.ARCHIVING, now, true, stop, this::archive);
    if (Times.isOver(times.archiveAfter)) {
      each(SeasonStatus.FINAL, now - times.archiveAfter, true, stop, this::archive);
    }
    if (Times.isOver(times.purgeAfter)) {
      // What a board still shows stays in memory, and so in the tables that memory is built from.
      each(SeasonStatus.ARCHIVED, now - times.purgeAfter, false, stop, this::beginPurge);
    }
    each(SeasonStatus.PURGING, now, true, stop, this::purge);
  }

  /** Something to do to a season. */
  private interface Job {
    /** False if something is left for another turn. */
    boolean run(Board board, Season season, BooleanSupplier stop);
  }

  private void each(
      SeasonStatus status, long since, boolean listed, BooleanSupplier stop, Job job) {
    // However many are put off, they take nobody's place.
    int limit = SEASONS_AT_ONCE + progress.putOff();
    List<Season> due = store.read(tx -> tx.seasonsIn(status, since, listed, limit));
    for (Season season : due) {
      Board board = directory.find(season.board());
      if (stop.getAsBoolean() || board == null || progress.isPutOff(season)) {
        continue;
      }
      try {
        if (job.run(board, season, stop)) {
          progress.done(season, status);
        } else {
          progress.stopped(season);
        }
      } catch (CancellationException e) {
        progress.stopped(season);
      } catch (StoreBusyException e) {
        progress.failed(season, e);
      } catch (StoreUnavailableException e) {
        // Nobody's own; the whole turn is tried again.
        progress.stopped(season);
        throw e;
      } catch (RuntimeException e) {
        // One that cannot be read or written does not hold up the others.
        progress.failed(season, e);
      }
    }
  }

  // --- into the archive

  private boolean archive(Board board, Season season, BooleanSupplier stop) {
    Begun begun = store.read(tx -> begin(tx, board, season));
    if (begun == null) {
      return false; // somebody else was faster, or it is being revised
    }
    SeasonDescription description = begun.description;
    long size = begun.size;
    progress.begin(season, 2 * size);
    StoredRows rows = new StoredRows(store, users, board, season, begun.state);
    Archive.Written written =
        archives.write(
            description,
            () -> {
              giveWay(stop);
              progress.at(season, rows.count());
              return rows.next();
            });
    archives.verify(
        description,
        written.digest(),
        read ->
            progress.at(season, size + (written.bytes() == 0 ? 0 : size * read / written.bytes())));
    boolean kept = store.write(tx -> keep(tx, board, season, begun, written));
    boards.follow();
    return kept;
  }

  /** A season that is going to be archived, as it is in one transaction. */
  private record Begun(SeasonDescription description, StoredRows.State state, long size) {}

  private static @Nullable Begun begin(ReadTransaction tx, Board board, Season season) {
    StoredRows.State state = StoredRows.State.of(tx, season, ARCHIVABLE);
    if (state == null) {
      return null;
    }
    Window window = board.window(season.window());
    return new Begun(
        new SeasonDescription(
            tx.tenantId(board.tenant()),
            board,
            season,
            window == null ? "" : window.name(),
            state.line(),
            tx.prizes(season.id())),
        state,
        tx.finalCount(season.id()));
  }

  /**
   * It is archived if what was written is still what the store has. If not, a revert has come in
   * between; then it is archived anew, when that is due.
   */
  private static boolean keep(
      WriteTransaction tx, Board board, Season season, Begun begun, Archive.Written written) {
    Season now = locked(tx, board, season);
    if (now == null || !begun.state.equals(StoredRows.State.of(tx, season, ARCHIVABLE))) {
      return false;
    }
    long count = tx.finalCount(season.id());
    if (count != written.users()) {
      throw new IllegalStateException(
          "season %d: %d users archived (expected: %d)"
              .formatted(season.id(), written.users(), count));
    }
    tx.putArchive(
        new ArchiveRecord(
            season.id(), tx.now(), written.users(), written.bytes(), written.digest()));
    tx.updateSeason(now.withStatus(SeasonStatus.ARCHIVED));
    return true;
  }

  // --- out of the hot tables

  /** Once more, as of now: after this there is no other copy. */
  private boolean beginPurge(Board board, Season season, BooleanSupplier stop) {
    StoredRows.State state = store.read(tx -> StoredRows.State.of(tx, season, ARCHIVED));
    if (state == null) {
      return false;
    }
    Archives.Found found = archives.find(board, season);
    archives.verify(found, read -> giveWay(stop));
    String difference =
        new ArchiveComparison(store, board, archives.open(found))
            .difference(new StoredRows(store, users, board, season, state), stop);
    boolean decided =
        store.write(
            tx -> {
              Season now = locked(tx, board, season);
              if (now == null
                  || !state.equals(StoredRows.State.of(tx, season, ARCHIVED))
                  || !found.record().equals(tx.archive(season.id()))) {
                return false;
              }
              tx.updateSeason(
                  now.withStatus(
                      difference == null ? SeasonStatus.PURGING : SeasonStatus.ARCHIVING));
              return true;
            });
    boards.follow();
    if (decided && difference != null) {
      throw new IllegalStateException(
          "the archive of season %d differs from the store (%s): it is written anew"
              .formatted(season.id(), difference));
    }
    return decided;
  }

  private boolean purge(Board board, Season season, BooleanSupplier stop) {
    Removal removal;
    do {
      giveWay(stop);
      removal = store.write(tx -> removeSome(tx, board, season));
    } while (!removal.done() && removal.rows() > 0);
    boards.follow();
    return removal.done();
  }

  private static Removal removeSome(WriteTransaction tx, Board board, Season season) {
    Season now = locked(tx, board, season);
    if (now == null || now.status() != SeasonStatus.PURGING) {
      return new Removal(0, true); // somebody else has done it
    }
    Removal removal = tx.removeRows(season.id(), CHUNK);
    if (removal.done()) {
      tx.updateSeason(now.withStatus(SeasonStatus.PURGED));
    }
    return removal;
  }

  // --- and back

  private boolean restore(Board board, Season season, BooleanSupplier stop) {
    ArchivedSeason archived = archives.open(board, season);
    progress.begin(season, archived.users());
    boolean more = true;
    while (more) {
      giveWay(stop);
      long from = store.read(tx -> tx.finalCount(season.id()));
      List<ArchivedRow> rows = archived.rows(from, CHUNK);
      users.assign(board.tenant(), rows.stream().map(ArchivedRow::userId).toList());
      UserDictionary numbers = users.of(board.tenant());
      more =
          store.write(
              tx -> {
                Season now = locked(tx, board, season);
                if (now == null || now.status() != SeasonStatus.RESTORING) {
                  return false;
                }
                if (tx.finalCount(season.id()) != from) {
                  return true; // somebody else is at it too
                }
                bringBack(tx, season, rows, numbers);
                if (from + rows.size() < archived.users()) {
                  return true;
                }
                tx.updateSeason(now.withStatus(SeasonStatus.ARCHIVED));
                return false;
              });
      progress.at(season, from + rows.size());
    }
    boards.follow();
    return true;
  }

  private static void bringBack(
      WriteTransaction tx, Season season, List<ArchivedRow> rows, UserDictionary numbers) {
    List<FinalRank> ranks = new ArrayList<>(rows.size());
    List<EntryWrite> entries = new ArrayList<>(rows.size());
    for (ArchivedRow row : rows) {
      int user = numbers.find(row.userId());
      ranks.add(row.rank().of(user));
      entries.add(new EntryWrite(season.id(), user, row.entry()));
    }
    tx.appendFinalRanks(season.id(), ranks);
    tx.putEntries(entries);
  }

  // --- steps

  /** As it is now that nobody else changes it. */
  private static @Nullable Season locked(WriteTransaction tx, Board board, Season season) {
    tx.lockShard(board.shard());
    return tx.season(season.id());
  }

  static void giveWay(BooleanSupplier stop) {
    if (stop.getAsBoolean()) {
      throw new CancellationException();
    }
  }
}
