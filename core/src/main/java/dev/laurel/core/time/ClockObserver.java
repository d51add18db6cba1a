package dev.laurel.core.time;

/** Hears what becomes of a clock. Called under its lock: to be quick. */
public interface ClockObserver {
  ClockObserver NONE =
      new ClockObserver() {
        @Override
        public void jumped(long millis) {}

        @Override
        public void settled(Settled how, long millis) {}
      };

  /** How a doubt ended. */
  enum Settled {
    /** The clock went back to where it belongs; the jump had no effect. */
    RETURNED,
    /** Another clock of this node, which did not jump, says the same. */
    OWN_CLOCK,
    /** A node that has watched since before says the same. */
    OTHER_NODE,
    /** It stayed where it is, for long enough. */
    STAYED,
    /** Somebody who should know has said so. */
    OPERATOR
  }

  /** It says something else than the time that has passed; by so much, backwards if negative. */
  void jumped(long millis);

  /** What it says counts again. */
  void settled(Settled how, long millis);
}
