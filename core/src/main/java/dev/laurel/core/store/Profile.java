package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a user beside the scores.
 *
 * @param user the user's number in the tenant
 * @param hiddenFrom the best rank at which the public sees a pseudonym: 0 for none, 1 for all
 * @param alias random; what the pseudonyms are made of
 * @param changedBy the number of the API key, 0 for the user
 */
public record Profile(
    long tenant,
    int user,
    @Nullable String displayName,
    long hiddenFrom,
    long alias,
    State state,
    long changedBy,
    long changedAt) {

  /** What became of the user. */
  public enum State {
    KEPT,
    /** The identity is gone; what else there was of the user is being erased. */
    ERASING,
    ERASED
  }

  public Profile in(State next) {
    return new Profile(tenant, user, displayName, hiddenFrom, alias, next, changedBy, changedAt);
  }
}
