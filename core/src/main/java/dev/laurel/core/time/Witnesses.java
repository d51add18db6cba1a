package dev.laurel.core.time;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which views of other nodes were written after a jump, and so tell something about it. No clock
 * can say that, because the one that all have in common has jumped. So views are numbered: a node
 * takes the next number first, then reads the clock, then writes. What was read before the jump has
 * at most the number after the largest that is stored when this node has noticed the jump.
 *
 * <p>Guarded by whoever asks it.
 */
final class Witnesses {
  private final Map<Long, Long> confirmedBefore = new HashMap<>();
  private long before = -1;

  /** Of those that are stored; the first time it is asked is after the jump. */
  List<ClockView> sinceTheJump(List<ClockView> all) {
    if (before < 0) {
      before = ClockView.nextNumber(all);
      all.forEach(view -> confirmedBefore.put(view.node(), view.confirmed()));
    }
    return all.stream().filter(view -> view.number() > before).toList();
  }

  /** Whether an operator has confirmed the clock at that node since. */
  boolean wasConfirmed(ClockView view) {
    return view.confirmed() != 0
        && view.confirmed() != confirmedBefore.getOrDefault(view.node(), 0L);
  }
}
