package dev.laurel.benchmarks;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.sql.PostgresStore;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A node that commits one write and is gone before its index has it. It says when, on standard
 * output, in milliseconds of the clock.
 */
final class DyingNode {
  /** What a shell says of a process after kill -9. */
  static final int KILLED = 137;

  private DyingNode() {}

  public static void main(String[] args) {
    InProcess node = new InProcess(PostgresStore.open(args[0], null, null, null), Dying::new);
    Board board = node.known(1, args[1]);
    node.submit(board, new Random(), 1, 100).join();
    throw new IllegalStateException("it should be dead");
  }

  /** Ends the process where a commit is to become visible, which is right after it is durable. */
  private record Dying(RankIndex index) implements RankIndex {
    @Override
    public Draft draft(Board board, Season season, Step step, List<Change> changes) {
      return new Draft() {
        @Override
        public @Nullable Ranking ranking() {
          return null;
        }

        @Override
        public void publish() {
          System.out.println(System.currentTimeMillis());
          System.out.flush();
          // No hook runs and nothing is said to anybody: as kill -9, without waiting for one.
          Runtime.getRuntime().halt(KILLED);
        }
      };
    }

    @Override
    public @Nullable Ranking ranking(Board board, Season season) {
      return index.ranking(board, season);
    }

    @Override
    public long epoch() {
      return index.epoch();
    }

    @Override
    public void enter(long epoch) {
      index.enter(epoch);
    }

    @Override
    public void follow(Board board, Season season, long line) {
      index.follow(board, season, line);
    }

    @Override
    public void prepare(ReadTransaction tx, Board board, Season season, long line) {
      index.prepare(tx, board, season, line);
    }

    @Override
    public void missed(Board board, Season season, long line) {
      index.missed(board, season, line);
    }

    @Override
    public void catchUp(Board board, Season season) {
      index.catchUp(board, season);
    }

    @Override
    public void rebuild(Board board, Season season) {
      index.rebuild(board, season);
    }

    @Override
    public void keepOnly(LongPredicate listed) {
      index.keepOnly(listed);
    }

    @Override
    public int seasons() {
      return index.seasons();
    }

    @Override
    public boolean isLoaded(Season season) {
      return index.isLoaded(season);
    }

    @Override
    public long behind() {
      return index.behind();
    }

    @Override
    public long loads() {
      return index.loads();
    }

    @Override
    public long size(Season season) {
      return index.size(season);
    }

    @Override
    public long size() {
      return index.size();
    }

    @Override
    public void close() {
      index.close();
    }
  }
}
