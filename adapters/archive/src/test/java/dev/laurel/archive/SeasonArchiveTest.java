package dev.laurel.archive;

import static dev.laurel.testkit.Harness.score;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.query.Neighbours;
import dev.laurel.core.query.Prizes;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A season's way into the archive, out of the hot tables, and back, with the answers all along. */
@ExtendWith(Seeds.class)
class SeasonArchiveTest {
  private static final Instant DAY = Instant.parse("2026-11-15T12:00:00Z");

  @TempDir Path folder = Path.of("");

  private final ManualClock clock = new ManualClock(DAY);

  @SuppressWarnings("NullAway.Init") // set before every test
  private Store store;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Harness harness;

  @BeforeEach
  void start() {
    store = SqliteStore.open(folder.resolve("data"), clock);
    Objects objects = new FolderObjects(folder.resolve("archive"));
    harness = new Harness(store, clock, new ObjectArchive(objects, folder.resolve("work")));
  }

  @AfterEach
  void stop() {
    harness.close();
    store.close();
  }

  private void restart() {
    stop();
    start();
  }

  private Board board(Order order, Ties ties) {
    return board(order, ties, null);
  }

  private Board board(Order order, Ties ties, @Nullable Integer capacity) {
    return harness.board(
        "sun:day",
        order,
        ties,
        Update.LATEST,
        new Bounds(Long.MIN_VALUE, Long.MAX_VALUE),
        new WindowDefinition(
            "weekly",
            new Schedule.Weekly(DayOfWeek.MONDAY),
            "UTC",
            null,
            Duration.ofMinutes(5),
            capacity,
            List.of(
                new PrizeTier("gold", 1, 3, 0, "{\"coins\":100}"),
                new PrizeTier("half", 0, 0, 5000, null))));
  }

  private void submit(Board board, int users, Random random) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      String metadata = random.nextInt(3) == 0 ? "{ \"n\" : " + i + " }" : null;
      commands.add(
          new Command.Score(
              "user-" + random.nextInt(1 << 30) + "é",
              Long.toString(random.nextInt(1 + users / 4)),
              null,
              DAY.toEpochMilli() - random.nextInt(1000),
              null,
              metadata));
    }
    for (int from = 0; from < users; from += 1000) {
      harness.submit(
          board, commands.subList(from, Math.min(users, from + 1000)).toArray(Command[]::new));
    }
  }

  /** Ends the day, and goes on so many days later. */
  private void turn(int days) {
    clock.set(DAY.plus(Duration.ofDays(days)));
    harness.seasons.turn();
    harness.finals.writeAll(() -> false);
    harness.archiver.turn(() -> false);
    assertThat(harness.failures).isEmpty();
  }

  private Season first(Board board) {
    Season found = store.read(tx -> tx.seasonAt(board.id(), 0, DAY.toEpochMilli()));
    assertThat(found).isNotNull();
    return found == null ? board.primary() : found;
  }

  /** Everything that can be asked of a season. */
  private record Answers(
      long size,
      List<String> top,
      Map<String, String> around,
      Map<String, Optional<String>> metadata,
      List<Long> counts,
      Prizes prizes) {}

  private Answers answers(Board board, Random random) {
    Season season = first(board);
    List<String> top = new ArrayList<>();
    List<Ranking.Row> rows = new ArrayList<>();
    Map<String, String> around = new TreeMap<>();
    List<Long> counts = new ArrayList<>();
    Rankings.Answer<Long> size =
        harness.rankings.answer(
            board,
            season,
            List.of(),
            view -> {
              view.ranking()
                  .page(
                      0,
                      Integer.MAX_VALUE,
                      (rank, user, score, reached) -> {
                        rows.add(new Ranking.Row(rank, user, score, reached, false));
                        top.add(rank + " " + view.users().id(user) + " " + score + " " + reached);
                      });
              for (int i = 0; i < 40 && !rows.isEmpty(); i++) {
                Ranking.Row row = rows.get(random.nextInt(rows.size()));
                Neighbours near = Neighbours.of(view.ranking(), row.user(), 1 + random.nextInt(5));
                around.put(view.users().id(row.user()), String.valueOf(near));
                counts.add(view.ranking().position(row.user()));
                counts.add(view.ranking().better(row.score()));
                counts.add(view.ranking().countUpTo(row.score(), row.reached(), row.user()));
                counts.add(view.ranking().countUpTo(row.score() + 1, row.reached(), row.user()));
                List<String> page = new ArrayList<>();
                view.ranking()
                    .page(
                        random.nextInt(rows.size() + 5), 7, (r, u, s, t) -> page.add(r + "." + u));
                around.put("page " + i, page.toString());
              }
              // Also those who have no place.
              for (int user = 1; user <= view.users().size(); user += 1 + random.nextInt(50)) {
                around.put("row " + user, String.valueOf(view.ranking().row(user)));
              }
              assertThat(view.ranking().row(view.users().find("nobody"))).isNull();
              return view.ranking().size();
            });
    Map<String, Optional<String>> metadata = new TreeMap<>();
    for (Ranking.Row row : rows.subList(0, Math.min(30, rows.size()))) {
      metadata.put(String.valueOf(row.user()), harness.rankings.metadata(board, season, row));
    }
    sources.add(size.source());
    return new Answers(
        size.value(), top, around, metadata, counts, harness.rankings.prizes(board, season));
  }

  private final List<Rankings.Source> sources = new ArrayList<>();

  @Test
  void turn_overTwoMonths_archivesPurgesAndAnswersTheSame(Random random) {
    Order order = random.nextBoolean() ? Order.HIGHEST_FIRST : Order.LOWEST_FIRST;
    Ties ties = List.of(Ties.values()).get(random.nextInt(3));
    Board board = board(order, ties, random.nextBoolean() ? 1 + random.nextInt(2400) : null);
    submit(board, 2500, random);
    long seed = random.nextLong();
    turn(1);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.FINAL);
    Answers before = answers(board, new Random(seed));
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

    harness.requests.restore(board, first(board));
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
    Answers before = answers(board, new Random(7));
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
    harness.requests.restore(board, first(board));
    for (int stops = 0; stops < 4; stops++) {
      int[] left = {random.nextInt(6)};
      harness.archiver.turn(() -> left[0]-- < 0);
      assertThat(answers(board, new Random(7))).isEqualTo(before);
    }
    turn(62);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    assertThat(answers(board, new Random(7))).isEqualTo(before);
    assertThat(folder.resolve("work").toFile().list()).isNullOrEmpty();
  }

  private ArchiveRecord record(Board board) {
    return harness.requests.list(board.tenant(), 0, 10).stream()
        .filter(o -> o.season().id() == first(board).id())
        .map(o -> requireNonNull(o.record()))
        .findFirst()
        .orElseThrow();
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

  private static Season first(Board board, ReadTransaction tx) {
    return requireNonNull(tx.seasonAt(board.id(), 0, DAY.toEpochMilli()));
  }

  @Test
  void read_afterTampering_isRefusedAndVerifyFindsIt(Random random) throws IOException {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 1500, random);
    turn(1);
    turn(32);
    turn(64);
    Season season = first(board);
    assertThat(season.status()).isEqualTo(SeasonStatus.PURGED);
    Path ranks = file(board, Manifest.RANKS);
    byte[] bytes = Files.readAllBytes(ranks);
    bytes[random.nextInt(200)] ^= 1;
    Files.write(ranks, bytes);
    restart();
    damaged(() -> answers(board, random));
    harness.requests.restore(board, season);
    clock.set(DAY.plus(Duration.ofDays(65)));
    harness.archiver.turn(() -> false);
    assertThat(harness.failures).hasSize(1);
    harness.failures.clear();
    assertThat(first(board).status()).isEqualTo(SeasonStatus.RESTORING);
    assertThat(String.valueOf(harness.requests.look(board, season).state())).contains("ranks");

    Path manifest = file(board, Manifest.NAME);
    Files.write(manifest, new byte[] {'{', '}'});
    restart();
    damaged(() -> answers(board, random));
  }

  private static void damaged(Runnable read) {
    assertThatThrownBy(read::run)
        .isInstanceOfSatisfying(
            ArchiveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ARCHIVE_DAMAGED));
  }

  private Path file(Board board, String object) {
    return folder
        .resolve("archive")
        .resolve(SeasonDescription.name("default", board, first(board)))
        .resolve(object);
  }

  @Test
  void purge_ofAnArchiveThatIsDamaged_isNotBegun(Random random) throws IOException {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 100, random);
    turn(1);
    turn(32);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    Path ranks = file(board, Manifest.RANKS);
    byte[] bytes = Files.readAllBytes(ranks);
    bytes[bytes.length - 1] ^= 1;
    Files.write(ranks, bytes);
    clock.set(DAY.plus(Duration.ofDays(64)));
    harness.archiver.turn(() -> false);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    assertThat(harness.failures).isNotEmpty();
    assertThat(answers(board, random).size()).isEqualTo(100);
  }

  @Test
  void requests_forASeasonThatRuns_areRefused() {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    harness.submit(board, score("a", 1));
    assertThatThrownBy(() -> harness.requests.archive(board, first(board)))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.ILLEGAL_STATUS_CHANGE));
    assertThatThrownBy(() -> harness.requests.restore(board, first(board)))
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
