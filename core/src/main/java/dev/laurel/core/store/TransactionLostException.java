package dev.laurel.core.store;

/**
 * The transaction lost against another one, or its connection broke before the commit. Nothing was
 * applied, and the same work may be tried again at once.
 */
public sealed class TransactionLostException extends StoreUnavailableException
    permits NewEpochException {
  public TransactionLostException(String message) {
    super(message);
  }

  public TransactionLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
