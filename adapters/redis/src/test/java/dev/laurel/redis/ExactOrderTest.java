package dev.laurel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.pipeline.Reply;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.StoredRanking;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.Store;
import dev.laurel.sql.SqliteStore;
import dev.laurel.stack.RedisServer;
import dev.laurel.testkit.Harness;
import dev.laurel.testkit.ManualClock;
import dev.laurel.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Redis and the store agree on every answer, where a double cannot tell scores apart too. */
@ExtendWith(Seeds.class)
class ExactOrderTest {
  private static final long EXACT = 1L << 53;
  private static final List<Long> SCORES =
      List.of(
          Long.MIN_VALUE,
          Long.MIN_VALUE + 1,
          -EXACT - 2,
          -EXACT - 1,
          -EXACT,
          -1L,
          0L,
          1L,
          EXACT - 1,
          EXACT,
          EXACT + 1,
          EXACT + 2,
          Long.MAX_VALUE - 1,
          Long.MAX_VALUE);
  private static final List<String> IDS =
      List.of(
          "a",
          "A",
          "ab",
          "a b",
          "é",
          "z",
          "ß",
          "日本",
          "😀",
          "\u00ff",
          "0",
          "~",
          "a-rather-long-identifier-of-a-user");

  @TempDir Path folder = Path.of("");

  @Test
  void answers_anyScoresAndIds_equalTheStores(Random random) {
    try (RedisServer server = RedisServer.start(folder.resolve("redis"));
        Store store = SqliteStore.open(folder.resolve("data"), new ManualClock());
        Harness node =
            new Harness(store, new ManualClock(), 1 << 16, Nodes.patient(server.url(), "exact"))) {
      for (Order order : Order.values()) {
        for (Ties ties : List.of(Ties.EARLIEST_FIRST, Ties.SHARED)) {
          Board board =
              node.board(
                  order + "-" + ties,
                  order,
                  ties,
                  Update.LATEST,
                  new Bounds(Long.MIN_VALUE, Long.MAX_VALUE));
          for (int round = 0; round < 25; round++) {
            batch(node, board, random);
          }
          compare(node, board, random.nextLong());
        }
      }
      assertThat(node.failures).isEmpty();
    }
  }

  /** Every answer has the rank that the user has after the whole batch, and it came from Redis. */
  private static void batch(Harness node, Board board, Random random) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(12); i++) {
      String user = IDS.get(random.nextInt(IDS.size())) + random.nextInt(4);
      long score = SCORES.get(random.nextInt(SCORES.size()));
      commands.add(
          random.nextInt(8) == 0
              ? new Command.Delete(user)
              // Few different times, some of them older than what the user has.
              : Harness.score(user, score, 1L + random.nextInt(3), null));
    }
    Reply reply = node.submit(board, commands.toArray(Command[]::new));
    List<Outcome> outcomes = ((Reply.Done) reply).outcomes();
    UserDictionary users = node.users.of(board.tenant());
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Accepted accepted
          && commands.get(i) instanceof Command.Score score) {
        Ranking.Row row =
            node.store.read(tx -> stored(node, board, tx).row(users.find(score.userId())));
        assertThat(accepted.rank()).isEqualTo(row == null ? 0 : row.rank());
      }
    }
  }

  private static Ranking stored(
      Harness node, Board board, dev.laurel.core.store.ReadTransaction tx) {
    return StoredRanking.of(tx, board, board.primary(), node.users);
  }

  private static void compare(Harness node, Board board, long seed) {
    UserDictionary users = node.users.of(board.tenant());
    Rankings.Answer<List<Object>> answer =
        node.rankings.answer(
            board,
            board.primary(),
            List.of(),
            view -> examine(view.ranking(), users, new Random(seed)));
    assertThat(answer.source()).isEqualTo(Rankings.Source.INDEX);
    List<Object> expected =
        node.store.read(tx -> examine(stored(node, board, tx), users, new Random(seed)));
    assertThat(answer.value()).isEqualTo(expected);
  }

  /** Asks everything that can be asked. */
  private static List<Object> examine(Ranking ranking, UserDictionary users, Random random) {
    List<Object> said = new ArrayList<>();
    said.add(ranking.line());
    said.add(ranking.size());
    ranking.page(
        0,
        Integer.MAX_VALUE,
        (rank, user, score, reached) -> said.add(List.of(rank, user, score, reached)));
    int[] all = new int[users.size()];
    for (int user = 1; user <= users.size(); user++) {
      all[user - 1] = user;
      said.add(String.valueOf(ranking.row(user)));
      said.add(ranking.position(user));
    }
    long[] ranks = new long[all.length];
    ranking.ranks(all, all.length, ranks, new long[all.length], new long[all.length]);
    for (long rank : ranks) {
      said.add(rank);
    }
    for (long score : SCORES) {
      said.add(ranking.better(score));
      said.add(ranking.countUpTo(score, random.nextInt(4), 1 + random.nextInt(users.size())));
    }
    for (int i = 0; i < 20; i++) {
      ranking.page(
          random.nextInt(60),
          random.nextInt(120),
          (rank, user, score, reached) -> said.add(List.of(rank, user)));
    }
    return said;
  }
}
