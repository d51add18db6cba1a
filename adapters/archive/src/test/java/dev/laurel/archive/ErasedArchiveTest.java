package dev.laurel.archive;

import static dev.laurel.testkit.Harness.score;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchivedRow;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Profile;
import dev.laurel.testkit.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An archive that was written before an erasure never brings the person back. */
@ExtendWith(Seeds.class)
class ErasedArchiveTest extends ArchivedBoards {
  private static final int USERS = 1500;
  private static final String ANN = "ann";

  private @Nullable Runnable afterRows;

  /** Lets something happen after rows of an archive were read. */
  @Override
  Archive wrapped(Archive inner) {
    return new Archive() {
      @Override
      public Written write(SeasonDescription season, Rows rows) {
        return inner.write(season, rows);
      }

      @Override
      public ArchivedSeason open(String name, String digest) {
        return watched(inner.open(name, digest));
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

  private ArchivedSeason watched(ArchivedSeason season) {
    return new ArchivedSeason() {
      @Override
      public long line() {
        return season.line();
      }

      @Override
      public long users() {
        return season.users();
      }

      @Override
      public List<ArchivedRow> rows(long from, int limit) {
        List<ArchivedRow> rows = season.rows(from, limit);
        Runnable now = afterRows;
        afterRows = null;
        if (now != null) {
          now.run();
        }
        return rows;
      }

      @Override
      public long position(String userId) {
        return season.position(userId);
      }
    };
  }

  /** Ann is the first, in the archive only. */
  private Board purged(Random random) {
    Board board = board(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST);
    submit(board, USERS, random);
    harness.submit(
        board, new Command.Score(ANN, "1000000", null, null, null, "{\"street\":\"Elm\"}"));
    turn(1);
    turn(32);
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    return requireNonNull(harness.directory.find(board.id()));
  }

  private int annsNumber(Board board) {
    return harness.users.of(board.tenant()).find(ANN);
  }

  private void erase(Board board) {
    assertThat(harness.erasure.erase(board.tenant(), ANN, 1)).isTrue();
  }

  private void restored(Board board) {
    harness.requests.restore(board, first(board));
    turn(65);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
  }

  private void assertNameless(Board board, int ann) {
    assertThat(annsNumber(board)).isZero();
    long season = first(board).id();
    List<FinalRank> ranks = store.read(tx -> tx.finalRanks(season, 0, 2 * USERS));
    assertThat(ranks).hasSize((int) record(board).users());
    assertThat(ranks.getFirst().user()).isEqualTo(ann);
    Entry entry = store.read(tx -> tx.entries(season, new int[] {ann}).getFirst());
    assertThat(entry).isNotNull();
    assertThat(entry.metadata()).isNull();
    List<String> ids = new ArrayList<>();
    store.read(
        tx -> {
          tx.users(board.tenant(), 0, (number, id) -> ids.add(id));
          return true;
        });
    assertThat(ids).doesNotContain(ANN).doesNotHaveDuplicates();
  }

  @Test
  void restore_afterAnErasure_bringsNobodyBack(Random random) {
    Board board = purged(random);
    int ann = annsNumber(board);
    erase(board);
    restart();
    restored(board);
    assertNameless(board, ann);
    // The archive of before the erasure and the rows of after it are the same season.
    turn(97);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
  }

  /** The id is gone, and a crash or an outage holds up the rest. */
  @Test
  void archive_whileAnErasureIsNotFinished_hasNothingPersonal() {
    Board board = board(Order.HIGHEST_FIRST, Ties.EARLIEST_FIRST);
    harness.submit(
        board, new Command.Score(ANN, "1000000", null, null, null, "{\"street\":\"Elm\"}"));
    turn(1);
    int ann = annsNumber(board);
    store.write(
        tx -> {
          tx.putProfile(
              new Profile(
                  board.tenant(), ann, null, 0, 0, Profile.State.ERASING, 1, clock.millis()));
          tx.renameUser(board.tenant(), ann, UserIds.erased(7));
          return true;
        });
    turn(32);
    List<ArchivedRow> rows = harness.archives.open(now(board), first(board)).rows(0, 10);
    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().userId()).isEqualTo(UserIds.erased(7));
    assertThat(rows.getFirst().entry().metadata()).isNull();
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
  }

  @Test
  void restore_whileTheUserIsErased_bringsNobodyBack(Random random) {
    Board board = purged(random);
    int ann = annsNumber(board);
    afterRows = () -> erase(board);
    restored(board);
    assertNameless(board, ann);
  }

  @Test
  void read_ofAnArchiveByANewUserWithAnErasedId_hasNoPlaceInIt(Random random) {
    Board board = purged(random);
    int ann = annsNumber(board);
    erase(board);
    harness.submit(board, score(ANN, 1));
    assertThat(annsNumber(board)).isPositive().isNotEqualTo(ann);
    assertThat(harness.rankings.line(board, first(board), ANN)).isEmpty();
    List<String> top =
        harness.rankings.ask(
            board,
            first(board),
            List.of(),
            view -> {
              List<String> ids = new ArrayList<>();
              view.ranking()
                  .page(0, 3, (rank, user, score, reached) -> ids.add(view.users().id(user)));
              return ids;
            });
    assertThat(top).hasSize(3).doesNotContain(ANN);
    assertThat(top.getFirst()).startsWith("erased-");
  }

  private void forgetDigests() throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("data").resolve("laurel.db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("UPDATE erased_users SET former = NULL")).isOne();
    }
  }

  /** Before digests were kept nobody could tell who it was: an id that nobody has stays unknown. */
  @Test
  void restore_ofAUserWhoWasErasedByAnEarlierVersion_bringsNobodyBack(Random random)
      throws SQLException {
    Board board = purged(random);
    erase(board);
    forgetDigests();
    restart();
    restored(board);
    assertThat(annsNumber(board)).isZero();
    long season = first(board).id();
    List<FinalRank> ranks = store.read(tx -> tx.finalRanks(season, 0, 1));
    assertThat(harness.users.of(board.tenant()).id(ranks.getFirst().user())).startsWith("erased-");
  }
}
