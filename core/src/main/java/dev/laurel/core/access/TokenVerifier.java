package dev.laurel.core.access;

import org.jspecify.annotations.Nullable;

/** Tells who bears a token. Thread-safe. */
@FunctionalInterface
public interface TokenVerifier {
  /**
   * @param tenantId the tenant that the call names; it decides only where a token is for several
   * @param mayWait whether keys may be fetched for it; without, the answer comes from memory
   */
  Verdict verify(String token, @Nullable String tenantId, boolean mayWait);

  /** What is to be said about a token. */
  sealed interface Verdict {
    /** It is what it should be. */
    record Accepted(Principal principal) implements Verdict {}

    /**
     * It is not.
     *
     * @param why {@code exp: in the past (expected: …)}; nothing of the token itself
     */
    record Refused(String why) implements Verdict {}

    /** Its key is not in memory: ask again where one may wait. */
    record Undecided() implements Verdict {}
  }
}
