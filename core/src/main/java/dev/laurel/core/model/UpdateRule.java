package dev.laurel.core.model;

import org.jspecify.annotations.Nullable;

/**
 * The one rule: what a submission does to an entry. Pure; every store, every follower and every
 * refold uses it, and neither SQL nor Lua holds a second copy.
 *
 * <ul>
 *   <li>BEST keeps the better score, and of equal ones the earliest time.
 *   <li>LATEST takes the value if its event is not older than the newest one seen; on equal times
 *       the later line wins. A score that does not change keeps the time it was reached.
 *   <li>SUM adds; its time is the latest of a non-zero addend.
 * </ul>
 */
public final class UpdateRule {
  private UpdateRule() {}

  /** What came of it. */
  public sealed interface Result {
    /**
     * @param effective false if the submission lost: a BEST that is not better, a LATEST that is
     *     older. The entry may still differ in its times
     */
    record Applied(Entry entry, boolean effective) implements Result {}

    /** The sum does not fit the board's bounds (or a long). Nothing is applied. */
    record OutOfBounds() implements Result {}
  }

  /**
   * @param current the entry before, null if there is none
   * @param value in units; BEST and LATEST values were checked against the bounds before
   * @param line the ledger line this submission gets
   */
  public static Result apply(
      Order order,
      Bounds bounds,
      @Nullable Entry current,
      Update mode,
      long value,
      long at,
      long line,
      @Nullable String metadata) {
    if (current == null || current.deleted()) {
      if (current != null && mode == Update.LATEST && at < current.seen()) {
        return new Result.Applied(current.withLast(line), false);
      }
      if (!bounds.contains(value)) {
        return new Result.OutOfBounds();
      }
      long seen = current == null ? at : Math.max(at, current.seen());
      return new Result.Applied(new Entry(value, at, seen, line, line, false, metadata), true);
    }
    long seen = Math.max(current.seen(), at);
    return switch (mode) {
      case BEST -> {
        if (order.isBetter(value, current.score())) {
          yield new Result.Applied(new Entry(value, at, seen, line, line, false, metadata), true);
        }
        long reached =
            value == current.score() ? Math.min(current.reached(), at) : current.reached();
        yield new Result.Applied(
            new Entry(
                current.score(), reached, seen, current.line(), line, false, current.metadata()),
            false);
      }
      case LATEST -> {
        if (at < current.seen()) {
          yield new Result.Applied(current.withLast(line), false);
        }
        long reached = value == current.score() ? current.reached() : at;
        yield new Result.Applied(new Entry(value, reached, at, line, line, false, metadata), true);
      }
      case SUM -> {
        long sum = current.score() + value;
        boolean overflow = ((current.score() ^ sum) & (value ^ sum)) < 0;
        if (overflow || !bounds.contains(sum)) {
          yield new Result.OutOfBounds();
        }
        long reached = value == 0 ? current.reached() : Math.max(current.reached(), at);
        yield new Result.Applied(new Entry(sum, reached, seen, line, line, false, metadata), true);
      }
    };
  }

  /** A deletion: no score any more, and older LATEST events stay beaten. */
  public static Entry delete(Entry current, long at, long line) {
    return new Entry(0, current.reached(), Math.max(current.seen(), at), line, line, true, null);
  }
}
