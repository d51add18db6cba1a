package dev.laurel.core.access;

import dev.laurel.core.store.ApiKey;
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
}
