package dev.laurel.archive;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.FinalRank;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A season's way into the archive, out of the hot tables, and back, with the answers all along. */
@ExtendWith(Seeds.class)
class SeasonArchiveTest extends ArchivedBoards {
  @Test
  void turn_overTwoMonths_archivesPurgesAndAnswersTheSame(Random random) {
    Order order = random.nextBoolean() ? Order.HIGHEST_FIRST : Order.LOWEST_FIRST;
    Ties ties = List.of(Ties.values()).get(random.nextInt(3));
    Board board = board(order, ties, random.nextBoolean() ? 1 + random.nextInt(2400) : null);
    submit(board, 2500, random);
    long seed = random.nextLong();
    turn(1);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.FINAL);
    SeasonAnswers before = answers(board, new Random(seed));
    List<@Nullable Entry> entries = entries(board);

    turn(29);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.FINAL);
    turn(31);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    assertThat(answers(board, new Random(seed))).isEqualTo(before);
    turn(60);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    turn(62);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(rows(board)).isZero();
    assertThat(answers(board, new Random(seed))).isEqualTo(before);

    restart();
    Board again = harness.directory.find(board.id());
    assertThat(again).isNotNull();
    assertThat(rows(board)).isZero();
    assertThat(answers(board, new Random(seed))).isEqualTo(before);

    harness.requests.restore(now(board), first(board));
    turn(62);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    assertThat(entries(board)).isEqualTo(entries);
    assertThat(answers(board, new Random(seed))).isEqualTo(before);
    // The time to the next purge begins with the restore.
    turn(91);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    turn(93);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, new Random(seed))).isEqualTo(before);
    assertThat(sources)
        .containsExactly(
            Rankings.Source.FINAL,
            Rankings.Source.FINAL,
            Rankings.Source.ARCHIVE,
            Rankings.Source.ARCHIVE,
            Rankings.Source.FINAL,
            Rankings.Source.ARCHIVE);
  }

  private long rows(Board board) {
    Season season = first(board);
    long[] count = new long[1];
    store.read(
        tx -> {
          tx.entries(season.id(), (user, score, reached, hasMetadata) -> count[0]++);
          return true;
        });
    return count[0] + store.read(tx -> tx.finalCount(season.id()));
  }

  private List<@Nullable Entry> entries(Board board) {
    Season season = first(board);
    List<FinalRank> ranks = store.read(tx -> tx.finalRanks(season.id(), 0, Integer.MAX_VALUE));
    int[] users = ranks.stream().mapToInt(FinalRank::user).toArray();
    return store.read(tx -> tx.entries(season.id(), users));
  }

  @Test
  void turn_stoppedAnywhere_isFinishedByTheNextOne(Random random) throws IOException {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 3300, random);
    turn(1);
    SeasonAnswers before = answers(board, new Random(7));
    // What another run leaves of its objects is written over with the same bytes.
    harness.requests.archive(board, first(board));
    turn(1);
    Map<String, Long> objects = objects();
    ArchiveRecord record = record(board);
    for (int days : new int[] {40, 62}) {
      for (int stops = 0; stops < 6; stops++) {
        clock.set(DAY.plus(Duration.ofDays(days)));
        int[] left = {random.nextInt(8)};
        harness.archiver.turn(() -> left[0]-- < 0);
        if (random.nextBoolean()) {
          restart();
        }
        assertThat(answers(board, new Random(7))).isEqualTo(before);
      }
      turn(days);
    }
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, new Random(7))).isEqualTo(before);
    assertThat(rows(board)).isZero();
    assertThat(objects()).containsAllEntriesOf(objects);
    assertThat(record(board)).isEqualTo(record);
    harness.requests.restore(now(board), first(board));
    for (int stops = 0; stops < 4; stops++) {
      int[] left = {random.nextInt(6)};
      harness.archiver.turn(() -> left[0]-- < 0);
      assertThat(answers(board, new Random(7))).isEqualTo(before);
    }
    turn(62);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    assertThat(answers(board, new Random(7))).isEqualTo(before);
    assertThat(folder.resolve("work0").toFile().list()).isNullOrEmpty();
  }

  private Map<String, Long> objects() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder.resolve("archive"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sizes.put(folder.relativize(file).toString(), Files.size(file));
      }
    }
    return sizes;
  }

  @Test
  void archive_again_givesTheSameBytes(Random random) {
    Board board = board(Order.HIGHEST_FIRST, Ties.DENSE);
    submit(board, 1200, random);
    turn(1);
    harness.requests.archive(board, first(board));
    turn(1);
    ArchiveRecord written = record(board);
    store.write(
        tx -> {
          tx.lockShard(board.shard());
          tx.updateSeason(first(board, tx).withStatus(SeasonStatus.ARCHIVING));
          return true;
        });
    turn(2);
    assertThat(record(board).digest()).isEqualTo(written.digest());
  }

  @Test
  void requests_forASeasonThatRuns_areRefused() {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    harness.submit(board, score("a", 1));
    assertThatThrownBy(() -> harness.requests.archive(board, first(board)))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.ILLEGAL_STATUS_CHANGE));
    assertThatThrownBy(() -> harness.requests.restore(now(board), first(board)))
        .hasMessageContaining("expected: PURGED");
  }

  @Test
  void archive_ofAnEmptySeason_isReadToo() {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    turn(1);
    turn(32);
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, new Random(1)).size()).isZero();
  }
}
