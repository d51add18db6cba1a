package dev.laurel.server.http;

import org.jspecify.annotations.Nullable;

/** Where an exchange leaves its answer. Its methods may be called from any thread. */
interface Outlet {
  /**
   * @param contentType null if there is no content
   */
  void write(Exchange exchange, @Nullable CharSequence contentType, byte[] bytes, int length);

  /** Runs the handler on a thread that may wait. */
  void block(Handler handler, Exchange exchange);

  /** Begins an answer of unknown length. */
  BodyStream stream(Exchange exchange, CharSequence contentType);

  /** Writes the head of an answer without an end. */
  void open(Exchange exchange, CharSequence contentType);

  /** Runs the handler, which starts something and answers when it completes. */
  void later(Handler handler, Exchange exchange);

  /** The handler wrote to the response itself and is done. */
  void streamEnded(Exchange exchange);
}
