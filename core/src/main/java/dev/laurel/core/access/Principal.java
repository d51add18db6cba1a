package dev.laurel.core.access;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who calls.
 *
 * @param number that the ledger knows the caller by ({@link dev.laurel.core.store.Callers}): of the
 *     API key, or of the issuer of the token; 0 for nobody
 * @param name of the key, or of the token's subject
 * @param tenant the tenant the call is about
 * @param tenantId its public name
 * @param userId whom a token was given to; null for everyone else
 * @param until when a token is good no more, in epoch milliseconds
 */
public record Principal(
    long number,
    String name,
    long tenant,
    String tenantId,
    Set<ApiKey.Scope> scopes,
    @Nullable String userId,
    long until) {

  /** Of a key, which is good until it is revoked. */
  public Principal(
      long number, String name, long tenant, String tenantId, Set<ApiKey.Scope> scopes) {
    this(number, name, tenant, tenantId, scopes, null, Long.MAX_VALUE);
  }

  /**
   * Whether nobody knows who it is: somebody without credentials to whom a setting gives scopes.
   */
  public boolean isAnonymous() {
    return number == 0 && userId == null;
  }

  public boolean may(ApiKey.Scope scope) {
    return scopes.contains(scope) || scopes.contains(ApiKey.Scope.ADMIN);
  }

  /** Names the caller where what one caller does has nothing to do with what another does. */
  public String callerId() {
    return userId == null ? tenant + "/" + number : tenant + "/user/" + userId;
  }

  /**
   * Refuses the bearer of a token what would give them a way in that the token's end does not end.
   */
  public void requireLasting(String what) {
    if (until != Long.MAX_VALUE) {
      throw Rejection.expectation(
              ErrorCode.FORBIDDEN, what, "by a token", "an API key, which does not expire")
          .asException();
    }
  }

  /** The refusal of a call that needs a scope this caller does not have. */
  public RejectedException lacks(ApiKey.Scope scope) {
    String name = scope.name().toLowerCase(Locale.ROOT);
    return Rejection.expectation(
            ErrorCode.FORBIDDEN,
            "scope",
            "missing",
            userId == null
                ? "a key with the scope " + name
                : "a token with the scope laurel:" + name)
        .asException();
  }
}
