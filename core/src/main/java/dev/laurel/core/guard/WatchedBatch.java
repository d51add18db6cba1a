package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.ReadTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one batch shows the {@link Watch}, on copies of what that remembers: a batch that fails is
 * tried again in parts, and must not have been seen before. Belongs to the batch's thread.
 */
public final class WatchedBatch {
  /** Lines of the shard that a board's spread begins with. */
  private static final int FIRST_LINES = 2000;

  private final Watch watch;
  private final ReadTransaction tx;
  private final EarlierLines lines;
  private final Map<Watch.Key, History> histories = new HashMap<>();
  private final Map<Long, AddressUsers> addresses = new HashMap<>();
  private final Map<Long, Spread> spreads = new HashMap<>();
  private final List<GuardRule> caught = new ArrayList<>();

  WatchedBatch(Watch watch, ReadTransaction tx, EarlierLines lines) {
    this.watch = watch;
    this.tx = tx;
    this.lines = lines;
  }

  public boolean isGuarded(Board board) {
    return !watch.rules(board).isEmpty();
  }

  /**
   * Null if nothing is odd.
   *
   * @param previous the user's last line, 0 for none
   * @param address a number that stands for the caller's address, 0 if it is not known
   */
  public Watch.@Nullable Verdict judge(
      Board board, int user, long previous, Update mode, long value, long at, long address) {
    Features features =
        history(board, user, previous)
            .features(
                mode,
                value,
                at,
                spread(board).zScore((double) value, Watch.BOARD_MINIMUM),
                users(board, user, at, address));
    Watch.Verdict verdict = Watch.judge(board, watch.rules(board), features);
    if (verdict != null) {
      caught.add(verdict.rule());
    }
    return verdict;
  }

  /** A line that was judged and is going to be stored. */
  public void add(Board board, LedgerLine line) {
    history(board, line.user(), line.previous()).add(line);
    if (line.kind() == LedgerLine.Kind.SCORE) {
      spread(board).add((double) line.value());
    }
  }

  /** The batch is committed. */
  public void keep() {
    watch.keep(histories, addresses, spreads, caught);
  }

  /** Lines that nobody judges, such as a deletion, are read like those of the store. */
  private History history(Board board, int user, long previous) {
    Watch.Key key = new Watch.Key(board.id(), user);
    History here = histories.get(key);
    if (here != null && here.last() == previous) {
      return here;
    }
    History kept = watch.history(key);
    History history =
        kept != null && kept.last() == previous
            ? kept.copy()
            : History.of(
                previous == 0 ? List.of() : lines.back(board, previous, History.LENGTH), previous);
    histories.put(key, history);
    return history;
  }

  private Spread spread(Board board) {
    Spread here = spreads.get(board.id());
    if (here == null) {
      Spread kept = watch.spread(board.id());
      here = kept == null ? first(board) : kept.copy();
      spreads.put(board.id(), here);
    }
    return here;
  }

  private Spread first(Board board) {
    Spread spread = new Spread();
    long last = tx.lastLines()[board.shard()];
    for (LedgerLine line :
        tx.lines(board.shard(), Math.max(0, last - FIRST_LINES), last, FIRST_LINES)) {
      if (line.board() == board.id() && line.kind() == LedgerLine.Kind.SCORE) {
        spread.add((double) line.value());
      }
    }
    return spread;
  }

  private int users(Board board, int user, long at, long address) {
    if (address == 0) {
      return 0;
    }
    AddressUsers here = addresses.get(address);
    if (here == null) {
      AddressUsers kept = watch.address(address);
      here = kept == null ? new AddressUsers() : kept.copy();
      addresses.put(address, here);
    }
    return here.seen(board.id(), user, at);
  }
}
