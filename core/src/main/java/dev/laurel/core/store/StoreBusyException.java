package dev.laurel.core.store;

/**
 * Too many read at once, or a read took so long that the store gave it up. Nothing is wrong with
 * the store: others go on, and trying later may work.
 */
public final class StoreBusyException extends StoreException {
  public StoreBusyException(String message) {
    super(message);
  }
}
