package dev.laurel.server;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey.Scope;
import dev.laurel.core.store.Tenant;
import dev.laurel.server.http.Authenticator;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Principal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Knows one key, the platform admin's, until keys are stored. */
final class AdminKey implements Authenticator {
  private static final int RANDOM_BYTES = 24;

  private final byte[] expected;
  private final @Nullable String generated;
  private final Principal admin =
      new Principal(0, "admin", Tenant.DEFAULT, EnumSet.allOf(Scope.class), true);

  private AdminKey(String key, @Nullable String generated) {
    this.expected = key.getBytes(StandardCharsets.UTF_8);
    this.generated = generated;
  }

  static AdminKey of(@Nullable String configured) {
    if (configured != null) {
      return new AdminKey(configured, null);
    }
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    String key = "lrl_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    return new AdminKey(key, key);
  }

  @Nullable String generated() {
    return generated;
  }

  @Override
  public @Nullable Principal authenticate(Exchange exchange) {
    String given = exchange.header("X-API-Key");
    if (given == null) {
      return null;
    }
    // In constant time: how long a comparison takes must not tell how much of a guess was right.
    if (!MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) {
      throw Rejection.of(ErrorCode.UNAUTHENTICATED, "X-API-Key: unknown or revoked").asException();
    }
    return admin;
  }
}
