package dev.laurel.server.http;

import dev.laurel.core.store.ApiKey.Scope;
import java.util.Set;

/**
 * Who calls.
 *
 * @param tenant the number of the tenant the call is about
 * @param admin may do everything, for every tenant
 */
public record Principal(long keyId, String name, long tenant, Set<Scope> scopes, boolean admin) {
  public boolean may(Scope scope) {
    return admin || scopes.contains(scope);
  }
}
