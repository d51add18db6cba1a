package dev.laurel.server.bench;

/** A bench could not begin or not go on; the message is for the person who started it. */
public final class BenchException extends RuntimeException {
  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
