package dev.laurel.core.store;

import java.util.concurrent.atomic.AtomicReference;

/** What some work would do: it is done, its result is kept, and its transaction is rolled back. */
public final class DryRun {
  private DryRun() {}

  public static byte[] of(Store store, Store.Work<WriteTransaction, byte[]> work) {
    AtomicReference<byte[]> result = new AtomicReference<>(new byte[0]);
    try {
      store.write(
          tx -> {
            result.set(work.in(tx));
            throw new UndoneException();
          });
    } catch (UndoneException e) {
      return result.get();
    }
    throw new IllegalStateException("a transaction that was to be undone was committed");
  }

  /** The way to leave a transaction without a commit. */
  private static final class UndoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UndoneException() {
      super("only tried", null, false, false);
    }
  }
}
