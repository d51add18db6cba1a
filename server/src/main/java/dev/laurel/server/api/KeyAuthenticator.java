package dev.laurel.server.api;

import dev.laurel.core.access.Keys;
import dev.laurel.core.access.Principal;
import dev.laurel.core.access.TokenVerifier;
import dev.laurel.core.access.TokenVerifier.Verdict;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Tenant;
import dev.laurel.server.http.Authenticator;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.UndecidedException;
import io.vertx.core.http.HttpHeaders;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells who calls, by the API key or by the token. */
public final class KeyAuthenticator implements Authenticator {
  private static final CharSequence API_KEY = HttpHeaders.createOptimized("X-API-Key");
  private static final CharSequence LAUREL_TENANT = HttpHeaders.createOptimized("Laurel-Tenant");
  private static final int MAX_KEY_LENGTH = 512;

  private static final String BEARER = "Bearer ";

  private final Keys keys;
  private final TokenVerifier tokens;
  private final @Nullable Principal anonymous;

  /**
   * @param anonymousScopes what a call without a key may do in the default tenant; none to refuse
   *     it
   */
  public KeyAuthenticator(Keys keys, TokenVerifier tokens, Set<ApiKey.Scope> anonymousScopes) {
    this.keys = keys;
    this.tokens = tokens;
    this.anonymous =
        anonymousScopes.isEmpty()
            ? null
            : new Principal(0, "anonymous", Tenant.DEFAULT, "default", anonymousScopes);
  }

  @Override
  public @Nullable Principal authenticate(Exchange exchange, boolean mayWait) {
    String tenant = exchange.header(LAUREL_TENANT);
    Principal principal = bearer(exchange, tenant, mayWait);
    if (principal == null) {
      if (tenant != null) {
        // To answer for the default tenant would be an answer to another question.
        throw refused("Laurel-Tenant: without a key (expected: the platform admin's key)");
      }
      return anonymous;
    }
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

  /** Null without credentials. */
  private @Nullable Principal bearer(Exchange exchange, @Nullable String tenant, boolean mayWait) {
    String key = exchange.header(API_KEY);
    String token = token(exchange.header(HttpHeaders.AUTHORIZATION));
    if (key == null) {
      return token == null ? null : keyOrToken(token, tenant, mayWait);
    }
    if (token != null) {
      throw refused("credentials: a key and a token (expected: one of them)");
    }
    Principal principal = byKey(key);
    if (principal == null) {
      throw refused("X-API-Key: not a key in force (expected: a valid API key)");
    }
    return principal;
  }

  /** Some callers, such as Prometheus, can send nothing but this header. */
  private Principal keyOrToken(String bearer, @Nullable String tenant, boolean mayWait) {
    Principal principal = byKey(bearer);
    return principal == null ? verified(bearer, tenant, mayWait) : principal;
  }

  private @Nullable Principal byKey(String key) {
    return key.length() > MAX_KEY_LENGTH ? null : keys.authenticate(key);
  }

  /** Another scheme is for a proxy in between, not for us. */
  private static @Nullable String token(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : null;
  }

  private Principal verified(String token, @Nullable String tenant, boolean mayWait) {
    return switch (tokens.verify(token, tenant, mayWait)) {
      case Verdict.Accepted(Principal principal) -> principal;
      case Verdict.Refused(String why) -> throw refused("token: " + why);
      case Verdict.Undecided() -> throw new UndecidedException();
    };
  }

  private static RejectedException refused(String why) {
    return Rejection.of(ErrorCode.UNAUTHENTICATED, why).asException();
  }
}
