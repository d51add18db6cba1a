package dev.laurel.server.http;

/** Where a handler runs; visible in the route table, because getting it wrong stalls everyone. */
public enum Kind {
  /** On the event loop: never blocks, may answer later from any thread. */
  HOT,

  /** On a virtual thread of its own: plain code that may wait. */
  BLOCKING
}
