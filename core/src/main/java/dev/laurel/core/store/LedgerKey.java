package dev.laurel.core.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the ledger is chained with. It is not in the database: who can write to that can
 * change lines, and cannot make it look as if nothing had happened. Immutable.
 */
public final class LedgerKey {
  /** Below it a key can be guessed. */
  public static final int MIN_CHARACTERS = 32;

  private static final String HMAC = "HmacSHA256";

  private final SecretKeySpec secret;

  private LedgerKey(byte[] secret) {
    this.secret = new SecretKeySpec(secret, HMAC);
  }

  public static LedgerKey of(String secret) {
    if (secret.length() < MIN_CHARACTERS) {
      throw new IllegalArgumentException(
          "ledger-key: %d characters (expected: at least %d)"
              .formatted(secret.length(), MIN_CHARACTERS));
    }
    return new LedgerKey(secret.getBytes(StandardCharsets.UTF_8));
  }

  /** A key that nobody knows and that is not kept. */
  public static LedgerKey random() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return new LedgerKey(secret);
  }

  /** A key for one purpose: what is made with it tells nothing about the others. */
  public LedgerKey derived(String purpose) {
    return new LedgerKey(bytes(purpose));
  }

  /** The bytes of such a key. */
  byte[] bytes(String purpose) {
    return mac().doFinal(purpose.getBytes(StandardCharsets.UTF_8));
  }

  /** A number to know the key by, which does not give it away. Never 0. */
  public long fingerprint() {
    return ByteBuffer.wrap(bytes("fingerprint")).getLong() | 1;
  }

  /** For one thread. */
  public Mac mac() {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }
}
