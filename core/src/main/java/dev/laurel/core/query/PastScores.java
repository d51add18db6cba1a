package dev.laurel.core.query;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Refold;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredLines;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What users had in a season when its ranks stood at an earlier line: for those who cannot keep the
 * state of then. The ledger knows it for as long as the season is in the store. Thread-safe.
 */
public final class PastScores {
  /** Somebody whose score cannot be told from so many lines is not worth the reading. */
  static final int MOST_LINES = 10_000;

  /** Lines that tell mostly what came since. */
  private static final int NEWEST = 64;

  private final Store store;

  PastScores(Store store) {
    this.store = store;
  }

  /**
   * By user, 0 of one who had no entry; without those of whom it cannot be told. Blocks.
   *
   * @param line in the board's shard
   */
  public Map<Integer, Long> scores(Board board, Season season, int[] users, long line) {
    if (store.isDown()) {
      return Map.of();
    }
    return store.read(
        tx -> {
          Map<Integer, Long> scores = new HashMap<>();
          if (tx.epoch() != board.epoch()) {
            return scores; // its lines are other ones
          }
          LineSeasons seasons = new LineSeasons(tx);
          List<@Nullable Entry> entries = tx.entries(season.id(), users);
          for (int i = 0; i < users.length; i++) {
            Entry now = entries.get(i);
            int user = users[i];
            Long then = now == null ? null : then(tx, seasons, board, season, user, now, line);
            if (then != null) {
              scores.put(users[i], then);
            }
          }
          return scores;
        });
  }

  private static @Nullable Long then(
      ReadTransaction tx,
      LineSeasons seasons,
      Board board,
      Season season,
      int user,
      Entry now,
      long line) {
    if (now.last() <= line) {
      return score(now);
    }
    Entry base = tx.bases(season.id(), new int[] {user}).getFirst();
    if (base != null && base.last() > line) {
      return null; // the lines of then were pruned
    }
    List<LedgerLine> newest = tx.linesBack(board.shard(), now.last(), NEWEST);
    if (newest.size() < NEWEST || newest.getFirst().line() <= line) {
      Long summed = withoutSums(seasons, season, now, since(newest, line));
      if (summed != null) {
        return summed;
      }
    }
    long[] lines = tx.numbersBack(board.shard(), now.last(), MOST_LINES + 1);
    if (lines.length > MOST_LINES) {
      return null;
    }
    long[] past = Arrays.stream(lines).filter(each -> each <= line).toArray();
    return score(
        new Refold(new StoredLines(tx, board.shard(), past))
            .entries(board, List.of(new Refold.Start(season, base)), seasons::reached)
            .getFirst());
  }

  private static List<LedgerLine> since(List<LedgerLine> lines, long line) {
    return lines.stream().filter(each -> each.line() > line).toList();
  }

  /**
   * Of one who only got points since then, as most do who have many lines: what is left without
   * them. Null if something else happened too.
   */
  private static @Nullable Long withoutSums(
      LineSeasons seasons, Season season, Entry now, List<LedgerLine> since) {
    long left = score(now);
    for (LedgerLine line : since) {
      if ((line.windows() >> season.window() & 1) == 0) {
        continue;
      }
      if (now.deleted() || line.kind() != LedgerLine.Kind.SCORE || line.mode() != Update.SUM) {
        return null;
      }
      left -= seasons.reached(season, line) ? line.value() : 0;
    }
    return left;
  }

  private static long score(@Nullable Entry entry) {
    return entry == null || entry.deleted() ? 0 : entry.score();
  }
}
