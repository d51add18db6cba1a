package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.ReadTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges submissions of guarded boards before they are decided, batch by batch ({@link #begin}). A
 * user's history is read from the ledger; what is kept of it is only used while it ends where the
 * ledger does. The spread of a board and the users of an address are this node's own: they begin
 * with the shard's last lines, and with nothing. Belongs to one committer's thread.
 */
public final class Watch {
  /** Users whose history is kept, and addresses. */
  private static final int KEPT = 10_000;

  static final int BOARD_MINIMUM = 30;

  private final Guards guards;
  private final GuardObserver observer;
  private final Recent<Key, History> histories = new Recent<>(KEPT);
  private final Recent<Long, AddressUsers> addresses = new Recent<>(KEPT);
  private final Map<Long, Spread> spreads = new HashMap<>();

  /** Those of the transaction that was followed last. */
  private Map<Long, List<GuardRule>> rules = Map.of();

  private long epoch;

  /** Whose history it is. */
  record Key(long board, int user) {}

  public Watch(Guards guards, GuardObserver observer) {
    this.guards = guards;
    this.observer = observer;
  }

  /** What was caught: the strictest rule, and what it measured. */
  public record Verdict(GuardRule rule, double value) {}

  public void follow(ReadTransaction tx, long revision) {
    rules = guards.follow(tx, revision);
    if (tx.epoch() != epoch) {
      // The same numbers are other users, boards and lines there.
      epoch = tx.epoch();
      histories.clear();
      addresses.clear();
      spreads.clear();
    }
  }

  /** Begins a batch. It leaves nothing here unless it is kept. */
  public WatchedBatch begin(ReadTransaction tx, EarlierLines lines) {
    return new WatchedBatch(this, tx, lines);
  }

  public boolean isGuarded(Board board) {
    return !guards.of(board).isEmpty();
  }

  /** As the transaction has them that was followed last. */
  List<GuardRule> rules(Board board) {
    return rules.getOrDefault(board.id(), List.of());
  }

  @Nullable History history(Key key) {
    return histories.get(key);
  }

  @Nullable Spread spread(long board) {
    return spreads.get(board);
  }

  @Nullable AddressUsers address(long address) {
    return addresses.get(address);
  }

  /** What a batch has made of it is committed. */
  void keep(
      Map<Key, History> newHistories,
      Map<Long, AddressUsers> newAddresses,
      Map<Long, Spread> newSpreads,
      List<GuardRule> caught) {
    histories.putAll(newHistories);
    addresses.putAll(newAddresses);
    spreads.putAll(newSpreads);
    caught.forEach(observer::caught);
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
}
