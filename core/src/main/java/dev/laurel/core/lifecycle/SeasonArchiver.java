package dev.laurel.core.lifecycle;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.model.Window;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreUnavailableException;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import dev.laurel.core.store.WriteTransaction.Removal;
import java.security.SecureRandom;
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
  private final SecureRandom random = new SecureRandom();

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
      long before = now - times.purgeAfter;
      String unproven = store.read(archives.sharing()::problem);
      progress.waiting(unproven == null ? 0 : due(SeasonStatus.ARCHIVED, before, false).size());
      if (unproven == null) {
        each(SeasonStatus.ARCHIVED, before, false, stop, this::beginPurge);
      }
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
    for (Season season : due(status, since, listed)) {
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
      } catch (StoreUnavailableException e) {
        // Nobody's own; the whole turn is tried again.
        progress.stopped(season);
        throw e;
      } catch (OutOfMemoryError e) {
        throw e; // ends the process
      } catch (RuntimeException | Error e) {
        // One that cannot be read or written does not hold up the others.
        progress.failed(season, e);
      }
    }
  }

  private List<Season> due(SeasonStatus status, long since, boolean listed) {
    // However many are put off, they take nobody's place.
    int limit = SEASONS_AT_ONCE + progress.putOff();
    return store.read(tx -> tx.seasonsIn(status, since, listed, limit));
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
  private record Begun(
      SeasonDescription description, StoredRows.State state, long size, long revision) {}

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
        tx.finalCount(season.id()),
        tx.revision());
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
            season.id(),
            tx.now(),
            written.users(),
            written.bytes(),
            written.digest(),
            begun.revision));
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
    String difference = difference(found, board, season, state, stop);
    boolean decided =
        store.write(
            tx -> {
              Season now = locked(tx, board, season);
              if (now == null
                  || archives.sharing().problem(tx) != null
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
      throw new ArchiveDiffersException(
          "the archive of season %d differs from the store (%s): it is written anew"
              .formatted(season.id(), difference));
    }
    return decided;
  }

  /** What is wrong with the archive; null if it has what the store has. */
  private @Nullable String difference(
      Archives.Found found,
      Board board,
      Season season,
      StoredRows.State state,
      BooleanSupplier stop) {
    try {
      archives.verify(found, read -> giveWay(stop));
      return new ArchiveComparison(archives.open(found))
          .difference(new StoredRows(store, users, board, season, state), stop);
    } catch (ArchiveException e) {
      if (e.code() == ErrorCode.ARCHIVE_DAMAGED) {
        // It may be in a folder that a node had for itself. The store has all of it still.
        return e.getMessage();
      }
      throw e;
    }
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
    Step step = Step.STALE;
    while (step == Step.STALE) {
      Archives.Found found = archives.find(board, season);
      ArchivedSeason archived = archives.open(found);
      progress.begin(season, archived.users());
      do {
        giveWay(stop);
        step = restoreSome(board, season, found, archived);
      } while (step == Step.MORE);
    }
    boards.follow();
    return true;
  }

  /** How a restore goes on. */
  private enum Step {
    MORE,
    /** Somebody was erased meanwhile: the rows are to be read again. */
    STALE,
    DONE
  }

  private Step restoreSome(
      Board board, Season season, Archives.Found found, ArchivedSeason archived) {
    long from = store.read(tx -> tx.finalCount(season.id()));
    List<ArchivedRow> rows = named(board, archived.rows(from, CHUNK));
    if (rows.isEmpty() && from < archived.users()) {
      throw ArchiveException.damaged(
          "season %d: %d rows archived (expected: %d)"
              .formatted(season.id(), from, archived.users()));
    }
    users.assign(board.tenant(), rows.stream().map(ArchivedRow::userId).toList());
    UserDictionary numbers = users.of(board.tenant());
    Step step =
        store.write(
            tx -> {
              Season now = locked(tx, board, season);
              if (now == null || now.status() != SeasonStatus.RESTORING) {
                return Step.DONE;
              }
              if (tx.lastErasure(board.tenant()) != found.names()) {
                return Step.STALE;
              }
              if (tx.finalCount(season.id()) != from) {
                return Step.MORE; // somebody else is at it too
              }
              if (!bringBack(tx, season, rows, numbers)) {
                return Step.STALE;
              }
              if (from + rows.size() < archived.users()) {
                return Step.MORE;
              }
              tx.updateSeason(now.withStatus(SeasonStatus.ARCHIVED));
              return Step.DONE;
            });
    progress.at(season, from + rows.size());
    return step;
  }

  /**
   * An id that nobody has was erased when nothing was kept of it; it must not come back. (Users do
   * not go away otherwise.)
   */
  private List<ArchivedRow> named(Board board, List<ArchivedRow> rows) {
    UserDictionary known = users.followNow(board.tenant());
    return rows.stream()
        .map(
            row ->
                known.find(row.userId()) != 0
                    ? row
                    : new ArchivedRow(
                        UserIds.erased(random.nextLong()),
                        row.rank(),
                        row.entry().withoutMetadata()))
        .toList();
  }

  /** False if somebody was erased in this moment. */
  private static boolean bringBack(
      WriteTransaction tx, Season season, List<ArchivedRow> rows, UserDictionary numbers) {
    List<FinalRank> ranks = new ArrayList<>(rows.size());
    List<EntryWrite> entries = new ArrayList<>(rows.size());
    for (ArchivedRow row : rows) {
      int user = numbers.find(row.userId());
      if (user == 0) {
        return false;
      }
      ranks.add(row.rank().of(user));
      entries.add(new EntryWrite(season.id(), user, row.entry()));
    }
    tx.appendFinalRanks(season.id(), ranks);
    tx.putEntries(entries);
    return true;
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
