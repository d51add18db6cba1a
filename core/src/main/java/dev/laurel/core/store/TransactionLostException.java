package dev.laurel.core.store;

/**
 * The transaction lost against another one, or its connection broke before the commit. Nothing was
 * applied, and the same work may be tried again at once.
 */
public final class TransactionLostException extends StoreUnavailableException {
  public TransactionLostException(String message) {
    super(message);
  }

  public TransactionLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
