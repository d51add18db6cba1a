package dev.laurel.core.vital;

import java.util.function.Consumer;

/** What must not end the thread that does it. */
public final class Failures {
  private Failures() {}

  /**
   * Does something whose failure is reported and is no reason to stop, be it an error of the
   * virtual machine: whoever calls this has more to do, and somebody waits for it.
   */
  public static boolean survive(Runnable work, Consumer<Throwable> onFailure) {
    try {
      work.run();
      return true;
    } catch (Throwable e) {
      tell(onFailure, e);
      return false;
    }
  }

  /** Reports a failure. Where even that fails, as in the midst of an outage, it is dropped. */
  public static void tell(Consumer<Throwable> onFailure, Throwable failure) {
    try {
      onFailure.accept(failure);
    } catch (Throwable e) {
      // There is nobody left to tell.
    }
  }
}
