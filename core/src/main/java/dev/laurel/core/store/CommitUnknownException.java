package dev.laurel.core.store;

/** The commit was sent and no answer came: it may or may not have happened. */
public final class CommitUnknownException extends StoreException {
  public CommitUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
