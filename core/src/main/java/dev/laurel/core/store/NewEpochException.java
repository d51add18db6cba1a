package dev.laurel.core.store;

/**
 * The store is in another epoch than what was asked of it: its history may be another one, in which
 * numbers of users, boards, seasons and lines name somebody and something else. Nothing was
 * applied. Whoever tries again looks everything up anew.
 */
public final class NewEpochException extends TransactionLostException {
  public NewEpochException() {
    super("the store's history may be another one than a moment ago");
  }

  /** Fails unless what was read in an epoch is used in the same one. */
  public static void unless(ReadTransaction tx, long epoch) {
    if (tx.epoch() != epoch) {
      throw new NewEpochException();
    }
  }
}
