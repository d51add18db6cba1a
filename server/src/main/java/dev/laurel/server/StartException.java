package dev.laurel.server;

import org.jspecify.annotations.Nullable;

/** Why the server cannot start, in words for the person who started it. */
public final class StartException extends RuntimeException {
  private final int exitCode;

  public StartException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
