package dev.laurel.core.live;

import org.jspecify.annotations.Nullable;

/** Those who watch one thing. The hub's thread calls; nothing here blocks. */
public interface Audience {
  /**
   * Sends a message to everyone who has joined.
   *
   * @param done to be run, by any thread, when it was handed to all connections
   */
  void tell(byte[] message, Runnable done);

  /** Nobody may watch this any more. */
  void end();

  /** Somebody who wants to join. */
  interface Newcomer {
    /** The id of the last event they saw; null if they saw none. */
    @Nullable String lastId();

    /** Sends the first message; what the audience is told from now on is sent after it. */
    void join(Audience audience, byte[] first);

    /** There is nothing to begin with. */
    void fail(Throwable why);
  }
}
