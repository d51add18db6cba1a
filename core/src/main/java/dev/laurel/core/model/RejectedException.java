package dev.laurel.core.model;

/**
 * Carries a {@link Rejection} out of code that answers with a value. No stack trace: it is an
 * answer.
 */
public final class RejectedException extends RuntimeException {
  private final transient Rejection rejection;

  public RejectedException(Rejection rejection) {
    super(rejection.code() + ": " + rejection.message(), null, false, false);
    this.rejection = rejection;
  }

  public Rejection rejection() {
    return rejection;
  }
}
