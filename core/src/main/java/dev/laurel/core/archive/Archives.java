package dev.laurel.core.archive;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.Store;
import java.util.function.LongConsumer;

/** Finds the archives of seasons: where they are, and what they must be. Thread-safe; blocking. */
public final class Archives {
  private final Store store;
  private final Archive archive;

  public Archives(Store store, Archive archive) {
    this.store = store;
    this.archive = archive;
  }

  /** An archive, and what the store knows of it. */
  public record Found(String name, ArchiveRecord record) {}

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
              SeasonDescription.name(tx.tenantId(board.tenant()), board, season), record);
        });
  }

  public ArchivedSeason open(Board board, Season season) {
    return open(find(board, season));
  }

  public ArchivedSeason open(Found found) {
    return archive.open(found.name, found.record.digest());
  }

  /** Throws what is wrong. */
  public void verify(Board board, Season season, LongConsumer progress) {
    verify(find(board, season), progress);
  }

  /** Throws what is wrong. */
  public void verify(Found found, LongConsumer progress) {
    archive.verify(found.name, found.record.digest(), progress);
  }

  public Archive.Written write(SeasonDescription season, Archive.Rows rows) {
    return archive.write(season, rows);
  }

  public void verify(SeasonDescription season, String digest, LongConsumer progress) {
    archive.verify(season.name(), digest, progress);
  }
}
