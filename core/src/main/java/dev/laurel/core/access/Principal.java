package dev.laurel.core.access;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import java.util.Locale;
import java.util.Set;

/**
 * Who calls.
 *
 * @param keyId the number of the API key, 0 for nobody
 * @param name of the key
 * @param tenant the tenant the call is about
 * @param tenantId its public name
 */
public record Principal(
    long keyId, String name, long tenant, String tenantId, Set<ApiKey.Scope> scopes) {
  public boolean may(ApiKey.Scope scope) {
    return scopes.contains(scope) || scopes.contains(ApiKey.Scope.ADMIN);
  }

  /** The refusal of a call that needs a scope this caller does not have. */
  public RejectedException lacks(ApiKey.Scope scope) {
    String name = scope.name().toLowerCase(Locale.ROOT);
    return Rejection.expectation(
            ErrorCode.FORBIDDEN, "scope", "missing", "a key with the scope " + name)
        .asException();
  }
}
