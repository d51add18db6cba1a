package dev.laurel.core.guard;

import dev.laurel.core.store.GuardRule;

/** Hears of what was caught. */
@FunctionalInterface
public interface GuardObserver {
  void caught(GuardRule rule);
}
