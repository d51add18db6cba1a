package dev.laurel.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.testkit.Seeds;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An archive that says of itself that it has more rows than there are. */
@ExtendWith(Seeds.class)
class LyingArchiveTest extends ArchivedBoards {
  private int tooMany;

  @Override
  Archive wrapped(Archive inner) {
    return new Archive() {
      @Override
      public Written write(SeasonDescription season, Rows rows) {
        return inner.write(season, rows);
      }

      @Override
      public ArchivedSeason open(String name, String digest) {
        return lying(inner.open(name, digest));
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

  private ArchivedSeason lying(ArchivedSeason inner) {
    return new ArchivedSeason() {
      @Override
      public long line() {
        return inner.line();
      }

      @Override
      public long users() {
        return inner.users() + tooMany;
      }

      @Override
      public List<ArchivedRow> rows(long from, int limit) {
        return inner.rows(from, limit);
      }

      @Override
      public long position(String userId) {
        return inner.position(userId);
      }
    };
  }

  @Test
  void restore_ofAnArchiveThatPromisesMoreRows_failsAndIsPutOff(Random random) {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 1500, random);
    turn(1);
    turn(32);
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    tooMany = 1;
    harness.requests.restore(board, first(board));
    AtomicInteger looks = new AtomicInteger();
    harness.archiver.turn(() -> looks.incrementAndGet() > 100);
    assertThat(looks.get()).isLessThan(100);
    assertThat(harness.failures).hasSize(1);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.RESTORING);
  }
}
