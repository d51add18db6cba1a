package dev.laurel.server.http;

/**
 * Whether a caller is admitted cannot be told from memory: the question is asked again on a thread
 * that may wait.
 */
public final class UndecidedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UndecidedException() {
    super("ask again where one may wait", null, false, false);
  }
}
