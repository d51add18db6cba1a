package dev.laurel.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer that may verify something, at one moment. A key is bound to one algorithm
 * by its own type, so a token cannot choose how its key is used: that is how an RSA key becomes the
 * secret of an HMAC elsewhere. Immutable; compared by identity.
 */
final class KeySet {
  static final KeySet EMPTY = new KeySet(List.of(), "");

  private static final int MIN_RSA_BITS = 2048;
  private static final int MAX_KEYS = 64;

  private final List<VerifyingKey> keys;
  private final String source;

  private KeySet(List<VerifyingKey> keys, String source) {
    this.keys = keys;
    this.source = source;
  }

  /** A key with the one algorithm it is for. */
  record VerifyingKey(@Nullable String id, JWSAlgorithm algorithm, JWSVerifier verifier) {}

  /**
   * @throws ParseException if it is not a JWK set, or has no key that can be used
   */
  static KeySet parse(String json) throws ParseException {
    JWKSet set = JWKSet.parse(json);
    List<VerifyingKey> usable = new ArrayList<>();
    for (JWK key : set.getKeys()) {
      VerifyingKey found = usable(key);
      if (found != null && usable.size() < MAX_KEYS) {
        usable.add(found);
      }
    }
    if (usable.isEmpty()) {
      throw new ParseException(
          "keys: none to be used (expected: RSA of at least 2048 bits, or EC on P-256)", 0);
    }
    return new KeySet(List.copyOf(usable), json);
  }

  /** Whether both were read from the same text. */
  boolean isSame(KeySet other) {
    return source.equals(other.source);
  }

  private static @Nullable VerifyingKey usable(JWK key) throws ParseException {
    boolean signs =
        (key.getKeyUse() == null || KeyUse.SIGNATURE.equals(key.getKeyUse()))
            && (key.getKeyOperations() == null
                || key.getKeyOperations().contains(KeyOperation.VERIFY));
    JWSAlgorithm algorithm =
        key instanceof RSAKey rsa && rsa.size() >= MIN_RSA_BITS
            ? JWSAlgorithm.RS256
            : key instanceof ECKey ec && Curve.P_256.equals(ec.getCurve())
                ? JWSAlgorithm.ES256
                : null;
    if (!signs
        || algorithm == null
        || (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm))) {
      return null;
    }
    try {
      JWSVerifier verifier =
          key instanceof RSAKey rsa
              ? new RSASSAVerifier(rsa.toRSAPublicKey())
              : new ECDSAVerifier(key.toECKey().toECPublicKey());
      return new VerifyingKey(key.getKeyID(), algorithm, verifier);
    } catch (JOSEException e) {
      // Not a point of its curve, and the like: a key that verifies nothing.
      return null;
    }
  }

  /** A token without a key id may mean only the one key there is. */
  @Nullable VerifyingKey find(@Nullable String id, JWSAlgorithm algorithm) {
    VerifyingKey found = null;
    for (VerifyingKey key : keys) {
      if (key.algorithm.equals(algorithm) && (id == null || id.equals(key.id))) {
        if (found != null) {
          return null;
        }
        found = key;
      }
    }
    return found;
  }
}
