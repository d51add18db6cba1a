package dev.laurel.core.award;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Checks the detached signature of rules: Ed25519, or RSA with SHA-256, by what the key is. Who can
 * write to the store or holds a key of the API cannot change points without the private one.
 */
public final class RulesKey {
  private final PublicKey key;
  private final String algorithm;

  private RulesKey(PublicKey key, String algorithm) {
    this.key = key;
    this.algorithm = algorithm;
  }

  /**
   * @param pem a public key as {@code openssl pkey -pubout} writes it
   * @throws IllegalArgumentException if it is none
   */
  public static RulesKey parse(String pem) {
    String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    try {
      X509EncodedKeySpec encoded = new X509EncodedKeySpec(Base64.getDecoder().decode(base64));
      for (String[] kind : new String[][] {{"Ed25519", "Ed25519"}, {"RSA", "SHA256withRSA"}}) {
        PublicKey key = tried(kind[0], encoded);
        if (key != null) {
          return new RulesKey(key, kind[1]);
        }
      }
    } catch (IllegalArgumentException e) {
      // Not base64: refused below.
    }
    throw new IllegalArgumentException(
        "award-rules-key: not a key (expected: the PEM of an Ed25519 or RSA public key)");
  }

  private static @Nullable PublicKey tried(String kind, X509EncodedKeySpec encoded) {
    try {
      return KeyFactory.getInstance(kind).generatePublic(encoded);
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  /**
   * @param signature in base64; null if there is none
   */
  public boolean isSigned(String body, @Nullable String signature) {
    if (signature == null) {
      return false;
    }
    try {
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(key);
      verifier.update(body.getBytes(StandardCharsets.UTF_8));
      return verifier.verify(Base64.getDecoder().decode(signature.strip()));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }
}
