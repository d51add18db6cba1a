package dev.laurel.server.cli;

/** A server did not do what a command asked for; the message is for who asked. */
final class CallException extends RuntimeException {
  CallException(String message) {
    super(message);
  }

  CallException(String message, Throwable cause) {
    super(message, cause);
  }
}
