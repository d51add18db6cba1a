package dev.laurel.server.api;

import dev.laurel.core.access.Keys;
import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Tenant;
import dev.laurel.server.http.Authenticator;
import dev.laurel.server.http.Exchange;
import io.vertx.core.http.HttpHeaders;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells who calls by the API key. */
public final class KeyAuthenticator implements Authenticator {
  private static final CharSequence API_KEY = HttpHeaders.createOptimized("X-API-Key");
  private static final CharSequence LAUREL_TENANT = HttpHeaders.createOptimized("Laurel-Tenant");
  private static final int MAX_KEY_LENGTH = 512;

  private final Keys keys;
  private final @Nullable Principal anonymous;

  /**
   * @param anonymousScopes what a call without a key may do in the default tenant; none to refuse
   *     it
   */
  public KeyAuthenticator(Keys keys, Set<ApiKey.Scope> anonymousScopes) {
    this.keys = keys;
    this.anonymous =
        anonymousScopes.isEmpty()
            ? null
            : new Principal(0, "anonymous", Tenant.DEFAULT, "default", anonymousScopes);
  }

  @Override
  public @Nullable Principal authenticate(Exchange exchange) {
    String key = exchange.header(API_KEY);
    if (key == null) {
      if (exchange.header(LAUREL_TENANT) != null) {
        // To answer for the default tenant would be an answer to another question.
        throw Rejection.of(
                ErrorCode.UNAUTHENTICATED,
                "Laurel-Tenant: without a key (expected: the platform admin's key)")
            .asException();
      }
      return anonymous;
    }
    Principal principal = key.length() > MAX_KEY_LENGTH ? null : keys.authenticate(key);
    if (principal == null) {
      throw Rejection.of(
              ErrorCode.UNAUTHENTICATED,
              "X-API-Key: not a key in force (expected: a valid API key)")
          .asException();
    }
    String tenant = exchange.header(LAUREL_TENANT);
    if (tenant == null || tenant.equals(principal.tenantId())) {
      return principal;
    }
    if (!principal.scopes().contains(ApiKey.Scope.ADMIN)) {
      throw Rejection.of(
              ErrorCode.FORBIDDEN,
              "Laurel-Tenant: another tenant (expected: the platform admin's key)")
          .asException();
    }
    Principal acting = keys.actingFor(principal, tenant);
    if (acting == null) {
      throw Rejection.expectation(
              ErrorCode.TENANT_NOT_FOUND, "Laurel-Tenant", tenant, "a tenant that exists")
          .asException();
    }
    return acting;
  }
}
