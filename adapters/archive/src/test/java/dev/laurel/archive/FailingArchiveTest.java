package dev.laurel.archive;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.ArchiveRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Seasons that the archive does not take hold up nobody else's. */
class FailingArchiveTest extends ArchivedBoards {
  private static final String BROKEN = "broken";

  @Override
  Archive wrapped(Archive inner) {
    return new Archive() {
      @Override
      public Written write(SeasonDescription season, Rows rows) {
        if (season.board().uuid().equals(BROKEN)) {
          throw ArchiveException.unavailable("told to fail", new IOException());
        }
        return inner.write(season, rows);
      }

      @Override
      public ArchivedSeason open(String name, String digest) {
        return inner.open(name, digest);
      }

      @Override
      public void verify(String name, String digest, LongConsumer progress) {
        inner.verify(name, digest, progress);
      }

      @Override
      public void close() {
        inner.close();
      }
    };
  }

  /** More of them than one turn looks at, and all are older. */
  @Test
  void turn_manySeasonsThatFail_theOthersAreArchivedAllTheSame() {
    Board broken =
        harness.board(
            BROKEN,
            Update.SUM,
            new WindowDefinition(
                "hourly", new Schedule.Hourly(), "UTC", null, Duration.ZERO, null, List.of()));
    for (int hour = 0; hour < 130; hour++) {
      clock.turn(Duration.ofHours(1));
      harness.seasons.turn();
      harness.finals.writeAll(() -> false);
    }
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    harness.submit(board, score("a", 1));
    clock.turn(Duration.ofDays(8));
    harness.seasons.turn();
    harness.finals.writeAll(() -> false);
    clock.turn(Duration.ofDays(31));
    harness.archiver.turn(() -> false);
    harness.archiver.turn(() -> false);
    List<ArchiveRecord> archived = store.read(tx -> tx.archives(board.tenant(), 0, 10));
    List<Season> waiting =
        store.read(tx -> tx.seasonsIn(SeasonStatus.FINAL, Long.MAX_VALUE, true, 1000));
    assertThat(archived).as("those that the archive takes").isNotEmpty();
    assertThat(waiting).allMatch(season -> season.board() == broken.id());
    assertThat(harness.failures).isNotEmpty();
  }
}
