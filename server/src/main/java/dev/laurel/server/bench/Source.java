package dev.laurel.server.bench;

import org.jspecify.annotations.Nullable;

/** Decides what a lane sends next. For one thread. */
interface Source {
  /** When {@link #next} will have something, if it has nothing now and no answer is waited for. */
  long NEVER = Long.MAX_VALUE;

  void begin(Window window);

  /** The operation to send now, if any; it is then taken. */
  @Nullable Operation next(long now);

  /** From when on the latency of the operation counts that {@link #next} returned last. */
  long begunAt();

  /** Nanoseconds from now to the next operation; 0 if one is due. */
  long untilNext(long now);

  /** Whether a request that began and ended at these times is one of those to report. */
  boolean counts(Window window, long begun, long ended);
}
