package dev.laurel.core.store;

/** The store cannot be reached or is locked; nothing was applied, and trying later may work. */
public sealed class StoreUnavailableException extends StoreException
    permits TransactionLostException {
  public StoreUnavailableException(String message) {
    super(message);
  }

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
