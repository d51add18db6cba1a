package dev.laurel.jwt;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.ApiKey.Scope;
import java.text.ParseException;
import java.util.Collections;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a token says about its bearer and about its time. Times are epoch milliseconds.
 *
 * @param subject empty if there is none
 * @param issuedAt null if it is not there, as the others
 */
record TokenClaims(
    String subject,
    Set<Scope> scopes,
    @Nullable Long issuedAt,
    @Nullable Long expires,
    @Nullable Long notBefore) {

  /** How far two honest clocks may be apart. */
  private static final long SKEW_MILLIS = 60_000;

  static TokenClaims of(JWTClaimsSet claims) throws ParseException {
    String subject = claims.getSubject();
    return new TokenClaims(
        subject == null ? "" : subject,
        scopes(claims),
        millis(claims.getIssueTime()),
        millis(claims.getExpirationTime()),
        millis(claims.getNotBeforeTime()));
  }

  private static @Nullable Long millis(@Nullable Date date) {
    return date == null ? null : date.toInstant().toEpochMilli();
  }

  /** By RFC 8693 one text, by some issuers a list called scp. The platform's own is never given. */
  private static Set<Scope> scopes(JWTClaimsSet claims) throws ParseException {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String claim : List.of("scope", "scp")) {
      Object value = claims.getClaim(claim);
      List<String> names =
          value instanceof String text
              ? List.of(text.split(" "))
              : value == null ? List.of() : claims.getStringListClaim(claim);
      for (String name : names) {
        switch (name) {
          case "laurel:read" -> scopes.add(Scope.READ);
          case "laurel:ingest" -> scopes.add(Scope.INGEST);
          case "laurel:manage" -> scopes.add(Scope.MANAGE);
          default -> {
            // Somebody else's.
          }
        }
      }
    }
    return Collections.unmodifiableSet(scopes);
  }

  /** What will be wrong at any time; null if nothing is. */
  @Nullable String wrong() {
    if (!UserIds.isValid(subject)) {
      return "sub: missing or not a user id (expected: " + UserIds.EXPECTED + ")";
    }
    if (expires == null || issuedAt == null) {
      return "exp, iat: missing (expected: both)";
    }
    return null;
  }

  /** When it is good no more. */
  long goodUntil() {
    return expires == null ? Long.MAX_VALUE : expires + SKEW_MILLIS;
  }

  /** What is wrong now; null if nothing is. */
  @Nullable String outOfTime(long now) {
    if (goodUntil() <= now) {
      return "exp: in the past (expected: a token that has not expired)";
    }
    if ((issuedAt != null && issuedAt - SKEW_MILLIS > now)
        || (notBefore != null && notBefore - SKEW_MILLIS > now)) {
      return "iat, nbf: in the future (expected: a token that is valid already)";
    }
    return null;
  }
}
