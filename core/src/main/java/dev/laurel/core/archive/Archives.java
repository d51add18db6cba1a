package dev.laurel.core.archive;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.ErasedUser;
import dev.laurel.core.store.Store;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Finds the archives of seasons: where they are, and what they must be. Thread-safe; blocking. */
public final class Archives {
  private final Store store;
  private final Archive archive;
  private final ArchiveSharing sharing;

  public Archives(Store store, Archive archive, ArchiveSharing sharing) {
    this.store = store;
    this.archive = archive;
    this.sharing = sharing;
  }

  public ArchiveSharing sharing() {
    return sharing;
  }

  /**
   * An archive, and what the store knows of it.
   *
   * @param erased who was erased after it was written, in this order
   * @param names the tenant's last erasure
   */
  public record Found(
      String name, ArchiveRecord record, long tenant, List<ErasedUser> erased, long names) {}

  /** ARCHIVE_NOT_FOUND if the season has none. */
  public Found find(Board board, Season season) {
    return store.read(
        tx -> {
          ArchiveRecord record = tx.archive(season.id());
          if (record == null) {
            throw Rejection.expectation(
                    ErrorCode.ARCHIVE_NOT_FOUND,
                    "season",
                    board.idOf(season),
                    "one that was archived")
                .asException();
          }
          return new Found(
              SeasonDescription.name(tx.tenantId(board.tenant()), board, season),
              record,
              board.tenant(),
              tx.erasedSince(board.tenant(), record.revision()),
              tx.lastErasure(board.tenant()));
        });
  }

  public ArchivedSeason open(Board board, Season season) {
    return open(find(board, season));
  }

  /** Who was erased by then is not in it under the id of before. */
  public ArchivedSeason open(Found found) {
    return ErasedSince.in(
        seen(() -> archive.open(found.name, found.record.digest())), found.tenant, found.erased);
  }

  /** Throws what is wrong. */
  public void verify(Board board, Season season, LongConsumer progress) {
    verify(find(board, season), progress);
  }

  /** Throws what is wrong. */
  public void verify(Found found, LongConsumer progress) {
    seen(
        () -> {
          archive.verify(found.name, found.record.digest(), progress);
          return found;
        });
  }

  /** What is missing on a node that sees another archive than the others is not damaged. */
  private <T> T seen(Supplier<T> look) {
    try {
      return look.get();
    } catch (ArchiveException e) {
      if (e.code() == ErrorCode.ARCHIVE_DAMAGED && sharing.isBlind()) {
        throw ArchiveException.unavailable(
            "this node does not see the archive that other nodes have written", e);
      }
      throw e;
    }
  }

  public Archive.Written write(SeasonDescription season, Archive.Rows rows) {
    return archive.write(season, rows);
  }

  public void verify(SeasonDescription season, String digest, LongConsumer progress) {
    archive.verify(season.name(), digest, progress);
  }
}
