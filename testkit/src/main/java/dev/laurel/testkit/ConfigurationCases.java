package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rules;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Strategy;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import dev.laurel.core.store.ArchiveWitness;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.time.ClockView;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Boards, their versions and their seasons. */
interface ConfigurationCases extends StoreCases {
  @Test
  default void createBoard_everyField_comesBackWithItsNumbers() {
    Board asked =
        new Board(
            77,
            77,
            1,
            "6f1e0e0c-0000-4000-8000-00000000c0de",
            "caf\u00e9 \uD83C\uDFC6",
            77,
            77,
            "me",
            11,
            everything(3),
            List.of(
                new Season(77, 77, 1, "later", 20, 30, 5, 9, SeasonStatus.SCHEDULED, false),
                new Season(
                    77,
                    77,
                    0,
                    "all",
                    Board.NO_START,
                    Board.NO_END,
                    0,
                    0,
                    SeasonStatus.ACTIVE,
                    false),
                new Season(77, 77, 1, "sooner", 10, 20, 5, 0, SeasonStatus.COMPLETED, true)));
    Board stored = Samples.create(store(), asked);

    assertThat(stored)
        .usingRecursiveComparison()
        .ignoringFields("epoch", "id", "shard", "revision", "seasons")
        .isEqualTo(asked);
    assertThat(stored.shard()).isBetween(0, store().shards() - 1);
    assertThat(stored.seasons())
        .extracting(Season::label)
        .containsExactly("all", "sooner", "later");
    assertThat(stored.seasons()).extracting(Season::board).containsOnly(stored.id());
    assertThat(stored.seasons()).extracting(Season::id).doesNotHaveDuplicates();
    assertThat(stored.seasons().getLast())
        .usingRecursiveComparison()
        .ignoringFields("id", "board")
        .isEqualTo(asked.seasons().getFirst());
    assertThat(boardsSince(0)).containsExactly(stored);
    assertThat(revision()).isEqualTo(stored.revision());
  }

  /** A version in which nothing is as usual. */
  private static BoardVersion everything(int number) {
    return new BoardVersion(
        number,
        BoardStatus.DRAFT,
        "Name",
        "pod-1",
        new Rules(
            Order.LOWEST_FIRST,
            Ties.DENSE,
            Update.SUM,
            9,
            new Bounds(Long.MIN_VALUE, Long.MAX_VALUE)),
        Visibility.PUBLIC,
        -5,
        Long.MAX_VALUE - 1,
        "{\"a\":1}",
        List.of(
            new Window(
                1,
                "weekly",
                new Schedule.Weekly(DayOfWeek.SUNDAY),
                ZoneId.of("Australia/Lord_Howe"),
                99,
                1,
                100,
                List.of(
                    new PrizeTier("gold", 1, 1, 0, "{\"coins\":5}"),
                    new PrizeTier("tenth", 0, 0, 1000, null))),
            new Window(
                0,
                "cycle",
                new Schedule.Cron("0 0 0 1 * ?", Duration.ofDays(7)),
                ZoneId.of("UTC"),
                Board.NO_END,
                0,
                0,
                List.of(new PrizeTier("all", 1, 9, 0, null)))),
        new Scoring(
            List.of(
                new Feature("wins", FeatureType.INTEGER, true),
                new Feature("name", FeatureType.STRING, false)),
            new Strategy.Expression("wins * 2")),
        new Feed("topic-1", 1234),
        12);
  }

  @Test
  default void versions_afterEdits_areAllThere() {
    Board first = Samples.create(store(), Samples.board("a").with(everything(1)));
    Board direct = store().write(tx -> tx.updateBoard(Samples.renamed(first, 2, "second")));
    store().write(tx -> tx.updateBoard(Samples.renamed(direct, 3, "third")));
    List<BoardVersion> versions = store().read(tx -> tx.versions(first.id()));
    assertThat(versions)
        .containsExactly(
            everything(1),
            Samples.renamed(first, 2, "second").current(),
            Samples.renamed(first, 3, "third").current());
    List<BoardVersion> none = store().read(tx -> tx.versions(99));
    assertThat(none).isEmpty();
  }

  @Test
  default void createBoard_uuidTaken_isRejectedAndChangesNothing() {
    Board first = Samples.create(store(), Samples.board("b"));
    assertThatThrownBy(() -> Samples.create(store(), Samples.board("b")))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.BOARD_EXISTS));
    assertThat(boardsSince(0)).containsExactly(first);
    assertThat(revision()).isEqualTo(first.revision());
  }

  @Test
  default void createBoard_uuidOfAnotherTenant_isItsOwn() {
    Board first = Samples.create(store(), Samples.board("b"));
    long tenant = store().write(tx -> tx.createTenant("acme", "Acme", 1)).id();
    Board second =
        Samples.create(store(), Samples.board(tenant, "b", Samples.season(0, "all-time")));
    Board otherCase = Samples.create(store(), Samples.board("B"));
    assertThat(List.of(first.id(), second.id(), otherCase.id())).doesNotHaveDuplicates();
    assertThat(boardsSince(0)).containsExactly(first, second, otherCase);
  }

  @Test
  default void createBoard_unknownTenant_isRefused() {
    assertThatThrownBy(
            () -> Samples.create(store(), Samples.board(99, "b", Samples.season(0, "all"))))
        .isInstanceOf(StoreException.class);
  }

  @Test
  default void boardsSince_changes_areTheNewestFormsByRevision() {
    Board a = Samples.create(store(), Samples.board("a"));
    Board b = Samples.create(store(), Samples.board("b"));
    Board c = Samples.create(store(), Samples.board("c"));
    assertThat(List.of(a.revision(), b.revision(), c.revision()))
        .isSorted()
        .doesNotHaveDuplicates();
    Board a2 = store().write(tx -> tx.updateBoard(Samples.renamed(a, 2, "second")));
    Board a3 = store().write(tx -> tx.updateBoard(Samples.renamed(a2, 3, "third")));

    assertThat(boardsSince(0)).containsExactly(b, c, a3);
    assertThat(boardsSince(b.revision())).containsExactly(c, a3);
    assertThat(boardsSince(a3.revision())).isEmpty();
    assertThat(a3.name()).isEqualTo("third");
    assertThat(a3.version()).isEqualTo(3);
    assertThat(a3.revision()).isGreaterThan(a2.revision());
  }

  @Test
  default void updateBoard_sameVersion_replacesIt() {
    Board a = Samples.create(store(), Samples.board("a"));
    Board updated = store().write(tx -> tx.updateBoard(Samples.renamed(a, 1, "again")));
    assertThat(updated.version()).isEqualTo(1);
    assertThat(updated.revision()).isGreaterThan(a.revision());
    assertThat(boardsSince(0)).containsExactly(updated);
  }

  @Test
  default void updateBoard_staleOrUnknown_isRefused() {
    Board a = Samples.create(store(), Samples.board("a"));
    Board a2 = store().write(tx -> tx.updateBoard(Samples.renamed(a, 2, "second")));
    assertThatThrownBy(() -> store().write(tx -> tx.updateBoard(a)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("version: 1");
    assertThatThrownBy(() -> store().write(tx -> tx.updateBoard(Samples.board("never stored"))))
        .isInstanceOf(StoreException.class);
    assertThat(boardsSince(0)).containsExactly(a2);
  }

  @Test
  default void updateBoard_seasonsNamed_areReplacedAndTheOthersStay() {
    Board board =
        Samples.create(
            store(), Samples.board(1, "b", Samples.season(0, "all"), Samples.season(1, "day")));
    Season all = board.seasons().getFirst();
    Season day = board.seasons().getLast();
    write(
        tx -> {
          tx.moveSeasons(Map.of(all.id(), 5L));
        });
    Season ended =
        new Season(all.id(), board.id(), 0, "ended", 1, 2, 3, 4, SeasonStatus.COMPLETED, true);
    Board updated = store().write(tx -> tx.updateBoard(Samples.with(board, ended)));
    assertThat(updated.seasons()).containsExactly(ended, day);
    assertThat(position(all.id())).isEqualTo(5);
  }

  @Test
  default void updateBoard_seasonOfAnother_isRefused() {
    Board a = Samples.create(store(), Samples.board("a"));
    Board b = Samples.create(store(), Samples.board("b"));
    assertThatThrownBy(
            () -> store().write(tx -> tx.updateBoard(Samples.with(a, b.seasons().getFirst()))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("season: " + b.seasons().getFirst().id());
  }

  @Test
  default void createSeason_onABoard_changesItsRevision() {
    Board board = Samples.create(store(), Samples.board("b"));
    Season asked = new Season(0, board.id(), 1, "day", 1, 2, 3, 4, SeasonStatus.SCHEDULED, false);
    Season created = store().write(tx -> tx.createSeason(asked));
    assertThat(created).usingRecursiveComparison().ignoringFields("id").isEqualTo(asked);
    List<Board> changed = boardsSince(board.revision());
    assertThat(changed).hasSize(1);
    assertThat(changed.getFirst().seasons()).containsExactly(board.seasons().getFirst(), created);
    assertThat(position(created.id())).isZero();
  }

  @Test
  default void keepBounds_severalOfABoard_areReadByWindowSeasonAndLine() {
    Board board = Samples.create(store(), Samples.board("b"));
    FormerBounds first = new FormerBounds(7, 0, 10, Board.NO_START, 100, 5);
    FormerBounds then = new FormerBounds(7, 0, 20, 50, Board.NO_END, 5);
    FormerBounds other = new FormerBounds(9, 1, 3, 1, 2, 0);
    write(
        tx -> {
          tx.keepBounds(board.id(), other);
          tx.keepBounds(board.id(), then);
          tx.keepBounds(board.id(), first);
          // Nothing was written in between: those of before were in force for these lines.
          tx.keepBounds(board.id(), new FormerBounds(7, 0, 20, 60, 70, 5));
        });
    assertThat(store().<List<FormerBounds>>read(tx -> tx.formerBounds(board.id())))
        .containsExactly(first, then, other);
    assertThat(store().<List<FormerBounds>>read(tx -> tx.formerBounds(board.id() + 1))).isEmpty();
  }

  @Test
  default void createSeason_unknownBoard_isRefused() {
    Season season = new Season(0, 99, 0, "x", 0, 1, 0, 0, SeasonStatus.ACTIVE, false);
    assertThatThrownBy(() -> store().write(tx -> tx.createSeason(season)))
        .isInstanceOf(StoreException.class);
  }

  @Test
  default void archiveWitnesses_areReplacedByTheirNodeAndForgottenWhenTold() {
    ArchiveWitness first = new ArchiveWitness(-7, 1, false, false, Set.of());
    ArchiveWitness other = new ArchiveWitness(9, 2, true, true, Set.of(-7L, 9L));
    write(tx -> tx.putArchiveWitness(first));
    write(tx -> tx.putArchiveWitness(other));
    List<ArchiveWitness> both = store().read(tx -> tx.archiveWitnesses());
    assertThat(both).containsExactly(first, other);
    ArchiveWitness again = new ArchiveWitness(-7, 3, false, true, Set.of(-7L));
    write(tx -> tx.putArchiveWitness(again));
    write(tx -> tx.removeArchiveWitnesses(List.of(9L, 11L)));
    List<ArchiveWitness> left = store().read(tx -> tx.archiveWitnesses());
    assertThat(left).containsExactly(again);
  }

  @Test
  default void putClockView_again_replacesItAndForgetsNodesOfLongAgo() {
    long day = 86_400_000;
    ClockView first = new ClockView(-7, 3, 1, 100 * day, 99 * day, true, 0);
    ClockView other = new ClockView(8, 4, 2, 100 * day + 1, 100 * day + 1, false, 3);
    write(tx -> tx.putClockView(first));
    write(tx -> tx.putClockView(other));
    List<ClockView> both = store().read(tx -> tx.clockViews());
    assertThat(both).containsExactly(first, other);
    ClockView again = new ClockView(8, 4, 2, 102 * day, 102 * day, false, 3);
    write(tx -> tx.putClockView(again));
    List<ClockView> left = store().read(tx -> tx.clockViews());
    assertThat(left).containsExactly(again);
  }
}
