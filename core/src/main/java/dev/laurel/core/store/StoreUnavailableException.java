package dev.laurel.core.store;

/** The store cannot be reached or is locked; nothing was applied, and trying later may work. */
public final class StoreUnavailableException extends StoreException {
  public StoreUnavailableException(String message) {
    super(message);
  }

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
