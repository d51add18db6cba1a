package dev.laurel.archive;

import static dev.laurel.testkit.Harness.score;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.Seeds;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Something happens to a season while it is archived: nothing of it may be lost by the purge. */
@ExtendWith(Seeds.class)
class ArchiveRaceTest extends ArchivedBoards {
  private static final int USERS = 2500;
  private static final long CHEAT = 1_000_000;

  private @Nullable Runnable afterFirstPage;
  private @Nullable Runnable beforeVerify;

  /** Lets something happen between two pages of rows, and before the verification. */
  @Override
  Archive wrapped(Archive inner) {
    return new Archive() {
      @Override
      public Written write(SeasonDescription season, Rows rows) {
        return inner.write(
            season,
            () -> {
              var some = rows.next();
              Runnable now = afterFirstPage;
              afterFirstPage = null;
              run(now);
              return some;
            });
      }

      @Override
      public ArchivedSeason open(String name, String digest) {
        return inner.open(name, digest);
      }

      @Override
      public void verify(String name, String digest, LongConsumer progress) {
        Runnable now = beforeVerify;
        beforeVerify = null;
        run(now);
        inner.verify(name, digest, progress);
      }

      @Override
      public void close() {
        inner.close();
      }
    };
  }

  private static void run(@Nullable Runnable something) {
    if (something != null) {
      something.run();
    }
  }

  private Board played(Random random) {
    Board board = board(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST);
    submit(board, USERS, random);
    harness.submit(board, score("cheater", 7));
    harness.submit(board, score("cheater", CHEAT));
    turn(1);
    return board;
  }

  private void revert(Board board) {
    long cheat =
        store.read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE)).stream()
            .filter(line -> line.value() == CHEAT)
            .mapToLong(LedgerLine::line)
            .findFirst()
            .orElseThrow();
    Board now = requireNonNull(harness.directory.find(board.id()));
    Command.Correct revert =
        new Command.Correct("cheater", Command.Correction.REVERT, List.of(cheat), null);
    harness.submit(now, revert);
    harness.boards.follow();
  }

  private void writeRanks() {
    harness.finals.writeAll(() -> false);
  }

  private void write(Consumer<WriteTransaction> work) {
    store.write(
        tx -> {
          work.accept(tx);
          return true;
        });
  }

  /** The season is archived when that is due anew, whole and with what was decided. */
  private void purgedWhole(Board board) {
    assertThat(first(board).status()).isEqualTo(SeasonStatus.FINAL);
    long seed = 7;
    SeasonAnswers truth = answers(board, new Random(seed));
    turn(63);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    turn(95);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(record(board).users()).isEqualTo(USERS + 1);
    assertThat(answers(board, new Random(seed))).isEqualTo(truth);
    assertThat(line(board, "cheater")).contains("score=7");
  }

  private String line(Board board, String user) {
    Board now = requireNonNull(harness.directory.find(board.id()));
    return String.valueOf(harness.rankings.line(now, first(board), user));
  }

  @Test
  void archive_whileARevertTakesRanksAway_doesNotKeepHalfOfTheSeason(Random random) {
    Board board = played(random);
    Season season = first(board);
    afterFirstPage =
        () -> {
          revert(board);
          // What the thread of the final ranks is doing at that moment: the last ones go first.
          write(
              tx -> {
                tx.lockShard(board.shard());
                tx.removeOutdatedRanks(season.id(), 0, 2000);
              });
        };
    beforeVerify = this::writeRanks;
    turn(32);
    writeRanks();
    purgedWhole(board);
  }

  @Test
  void archive_whileARevertIsCarriedOut_doesNotMixOldAndNewRanks(Random random) {
    Board board = played(random);
    afterFirstPage =
        () -> {
          revert(board);
          writeRanks();
        };
    turn(32);
    purgedWhole(board);
  }

  @Test
  void archive_whenARevertComesAfterTheLastRow_isDoneAnew(Random random) {
    Board board = played(random);
    beforeVerify =
        () -> {
          revert(board);
          writeRanks();
        };
    turn(32);
    purgedWhole(board);
  }

  @Test
  void archive_ofASlowNodeThatSawTheRanksOfBefore_leavesTheOtherNodesAlone(Random random) {
    Board board = played(random);
    try (Harness other = new Harness(store, clock, archive())) {
      beforeVerify =
          () -> {
            revert(board);
            writeRanks();
            // The other node archives what holds now; then this one's objects must not be those.
            other.boards.follow();
            other.requests.archive(board, first(board));
            other.archiver.turn(() -> false);
          };
      turn(32);
    }
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    SeasonAnswers truth = answers(board, new Random(7));
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, new Random(7))).isEqualTo(truth);
    assertThat(line(board, "cheater")).contains("score=7");
  }

  /** As an earlier version could leave it behind. */
  @Test
  void purge_ofASeasonWhoseArchiveIsAnother_writesTheArchiveAnewFirst(Random random) {
    Board board = played(random);
    SeasonAnswers cheated = answers(board, new Random(7));
    turn(32);
    ArchiveRecord old = record(board);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    write(
        tx -> {
          tx.lockShard(board.shard());
          tx.updateSeason(first(board, tx).withStatus(SeasonStatus.FINAL));
        });
    harness.boards.follow();
    revert(board);
    writeRanks();
    write(
        tx -> {
          tx.lockShard(board.shard());
          tx.updateSeason(first(board, tx).withStatus(SeasonStatus.ARCHIVED));
        });
    SeasonAnswers truth = answers(board, new Random(7));
    assertThat(truth).isNotEqualTo(cheated);

    later(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVING);
    assertThat(harness.failures).hasSize(1);
    assertThat(harness.failures.poll()).hasMessageContaining("differs from the store");
    turn(65);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    assertThat(record(board).digest()).isNotEqualTo(old.digest());
    turn(97);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, new Random(7))).isEqualTo(truth);
  }

  @Test
  void purge_ofASeasonWithAUserWhoWasErasedSince_isDone(Random random) {
    Board board = played(random);
    turn(32);
    int user = harness.users.of(board.tenant()).find("cheater");
    write(
        tx -> {
          tx.renameUser(board.tenant(), user, "erased-1");
          tx.putProfile(new Profile(board.tenant(), user, null, 0, 0, Profile.State.ERASED, 0, 1));
        });
    restart();
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(harness.failures).isEmpty();
  }
}
