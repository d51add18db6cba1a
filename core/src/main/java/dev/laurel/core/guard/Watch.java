package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.ReadTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges submissions of guarded boards before they are decided. A user's history is read from the
 * ledger; what is kept of it is only used while it ends where the ledger does. The spread of a
 * board and the users of an address are this node's own: they begin with the shard's last lines,
 * and with nothing. Belongs to one committer's thread.
 */
public final class Watch {
  /** Users whose history is kept, and addresses. */
  private static final int KEPT = 10_000;

  /** Lines of the shard that a board's spread begins with. */
  private static final int FIRST_LINES = 2000;

  static final int BOARD_MINIMUM = 30;

  private final Guards guards;
  private final GuardObserver observer;
  private final Recent<Key, History> histories = new Recent<>(KEPT);
  private final Recent<Long, AddressUsers> addresses = new Recent<>(KEPT);
  private final Map<Long, Spread> spreads = new HashMap<>();

  private record Key(long board, int user) {}

  public Watch(Guards guards, GuardObserver observer) {
    this.guards = guards;
    this.observer = observer;
  }

  /** What was caught: the strictest rule, and what it measured. */
  public record Verdict(GuardRule rule, double value) {}

  public void follow(ReadTransaction tx, long revision) {
    guards.follow(tx, revision);
  }

  public boolean isGuarded(Board board) {
    return !guards.of(board).isEmpty();
  }

  /**
   * @param previous the user's last line, 0 for none
   * @param address a number that stands for the caller's address, 0 if it is not known
   */
  public @Nullable Verdict judge(
      ReadTransaction tx,
      Board board,
      int user,
      long previous,
      Update mode,
      long value,
      long at,
      long address) {
    List<GuardRule> rules = guards.of(board);
    Features features =
        history(tx, board, user, previous)
            .features(
                mode,
                value,
                at,
                spread(tx, board).zScore((double) value, BOARD_MINIMUM),
                users(board, user, at, address));
    Verdict verdict = judge(board, rules, features);
    if (verdict != null) {
      observer.caught(verdict.rule);
    }
    return verdict;
  }

  static @Nullable Verdict judge(Board board, List<GuardRule> rules, Features features) {
    Verdict verdict = null;
    for (GuardRule rule : rules) {
      double value = features.of(rule.kind(), unit(board));
      if (value > rule.threshold()
          && (verdict == null || rule.action().compareTo(verdict.rule.action()) > 0)) {
        verdict = new Verdict(rule, value);
      }
    }
    return verdict;
  }

  static double unit(Board board) {
    return Math.pow(10, board.decimals());
  }

  /** A line that was judged and is going to be stored. */
  public void add(ReadTransaction tx, Board board, LedgerLine line) {
    history(tx, board, line.user(), line.previous()).add(line);
    spread(tx, board).add((double) line.value());
  }

  /** If the last batch was not stored after all, what it left here does not end where this does. */
  private History history(ReadTransaction tx, Board board, int user, long previous) {
    Key key = new Key(board.id(), user);
    History kept = histories.get(key);
    if (kept == null || kept.last() != previous) {
      kept = History.before(tx, board.shard(), previous);
      histories.put(key, kept);
    }
    return kept;
  }

  private Spread spread(ReadTransaction tx, Board board) {
    Spread kept = spreads.get(board.id());
    if (kept == null) {
      kept = new Spread();
      long last = tx.lastLines()[board.shard()];
      for (LedgerLine line :
          tx.lines(board.shard(), Math.max(0, last - FIRST_LINES), last, FIRST_LINES)) {
        if (line.board() == board.id() && line.kind().isSubmission()) {
          kept.add((double) line.value());
        }
      }
      spreads.put(board.id(), kept);
    }
    return kept;
  }

  private int users(Board board, int user, long at, long address) {
    if (address == 0) {
      return 0;
    }
    return addresses.computeIfAbsent(address, a -> new AddressUsers()).seen(board.id(), user, at);
  }
}
