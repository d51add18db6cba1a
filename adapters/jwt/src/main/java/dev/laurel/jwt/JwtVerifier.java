package dev.laurel.jwt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.laurel.core.access.Issuers;
import dev.laurel.core.access.Principal;
import dev.laurel.core.access.TokenVerifier;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.vital.Vital;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Verifies JSON Web Tokens: whose they are by (iss, aud), then the signature by that issuer's keys
 * alone, then the claims. What a header says about keys (jku, x5u, jwk) is not even read.
 * Thread-safe.
 *
 * <p>What was verified is remembered for some minutes, because an RSA signature costs more than the
 * rest of a request. It counts only as long as the same issuers and keys are in force.
 */
public final class JwtVerifier implements TokenVerifier, AutoCloseable, Vital {
  private static final int MAX_LENGTH = 8192;
  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final long CACHE_CHARS = 16L << 20;

  private final Issuers issuers;
  private final InstantSource clock;
  private final IssuerKeys keys;
  private final Cache<String, Known> known =
      Caffeine.newBuilder()
          .maximumWeight(CACHE_CHARS)
          .weigher((String token, Known _) -> token.length() + 256)
          .expireAfterWrite(REMEMBERED)
          .build();

  /** A token that was verified, under what, and until when it is good. */
  private record Known(
      Issuers.InForce inForce,
      Issuer issuer,
      KeySet keys,
      TokenClaims claims,
      Verdict.Accepted verdict) {}

  /** Reads what issuers publish. Blocking, with a deadline of its own. */
  @FunctionalInterface
  public interface Documents {
    /**
     * @param trusted whether the operator named the address, and not a tenant
     */
    String read(URI uri, boolean trusted) throws IOException, InterruptedException;
  }

  /**
   * @param observer hears of keys that cannot be read
   */
  public JwtVerifier(
      Issuers issuers, Documents documents, KeysObserver observer, InstantSource clock) {
    this.issuers = issuers;
    this.clock = clock;
    this.keys = new IssuerKeys(issuers, new JwksFetcher(documents), observer);
  }

  /** Null if it is a key set with keys that can be used; else what is wrong with it. */
  public static @Nullable String problem(String keySet) {
    try {
      KeySet.parse(keySet);
      // It is stored and shown: whoever pastes a private key has to make another one.
      return JWKSet.parse(keySet).getKeys().stream().anyMatch(JWK::isPrivate)
          ? "public keys only"
          : null;
    } catch (ParseException e) {
      return "a JWK set with an RSA key of at least 2048 bits or an EC key on P-256";
    }
  }

  @Override
  public Verdict verify(String token, @Nullable String tenantId, boolean mayWait) {
    if (token.length() > MAX_LENGTH) {
      return new Verdict.Refused("too long (expected: at most " + MAX_LENGTH + " characters)");
    }
    Issuers.InForce inForce = issuers.inForce();
    String question = tenantId == null ? token : tenantId + " " + token;
    Known before = known.getIfPresent(question);
    if (before != null && before.inForce == inForce && before.keys == keys.of(before.issuer)) {
      String expired = before.claims.outOfTime(clock.millis());
      return expired == null ? before.verdict : new Verdict.Refused(expired);
    }
    try {
      return check(token, tenantId, question, inForce, mayWait);
    } catch (ParseException | JOSEException | RuntimeException e) {
      return new Verdict.Refused("not a signed JSON Web Token (expected: RS256 or ES256)");
    }
  }

  private Verdict check(
      String token,
      @Nullable String tenantId,
      String question,
      Issuers.InForce inForce,
      boolean mayWait)
      throws ParseException, JOSEException {
    SignedJWT jwt = SignedJWT.parse(token);
    JWSHeader header = jwt.getHeader();
    JWTClaimsSet claims = jwt.getJWTClaimsSet();
    if (header.getCriticalParams() != null) {
      return new Verdict.Refused("crit: present (expected: no critical extensions)");
    }
    String name = claims.getIssuer();
    Issuer issuer = name == null ? null : inForce.find(name, claims.getAudience(), tenantId);
    if (issuer == null) {
      return new Verdict.Refused(
          "iss, aud: unknown (expected: an issuer and audience set up here)");
    }
    if (issuer.algorithms().stream()
        .noneMatch(a -> a.name().equals(header.getAlgorithm().getName()))) {
      return new Verdict.Refused("alg: another (expected: one that the issuer is set up with)");
    }
    TokenClaims read = TokenClaims.of(claims);
    String wrong = read.wrong();
    wrong = wrong == null ? read.outOfTime(clock.millis()) : wrong;
    if (wrong != null) {
      // Also where its key is not known: nothing needs to be fetched to refuse it.
      return new Verdict.Refused(wrong);
    }
    String userId = inForce.userId(issuer, read.subject());
    if (userId == null || !UserIds.isValid(userId)) {
      return new Verdict.Refused(
          "sub: too long, or as users of another issuer are called (expected: a user of its own)");
    }
    KeySet set = keys.of(issuer);
    KeySet.VerifyingKey key = set.find(header.getKeyID(), header.getAlgorithm());
    if (key == null && keys.mayHaveNews(issuer)) {
      if (!mayWait) {
        return new Verdict.Undecided();
      }
      set = keys.fetched(issuer);
      key = set.find(header.getKeyID(), header.getAlgorithm());
    }
    if (key == null) {
      return new Verdict.Refused("kid: unknown (expected: a key of the issuer, for this alg)");
    }
    if (!key.verifier().verify(header, jwt.getSigningInput(), jwt.getSignature())) {
      return new Verdict.Refused("signature: wrong (expected: one by a key of the issuer)");
    }
    Principal principal = inForce.principal(issuer, userId, read.scopes(), read.goodUntil());
    Verdict.Accepted accepted = new Verdict.Accepted(principal);
    known.put(question, new Known(inForce, issuer, set, read, accepted));
    return accepted;
  }

  @Override
  public @Nullable String lost() {
    return keys.lost();
  }

  @Override
  public void close() {
    keys.close();
  }
}
