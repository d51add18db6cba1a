package dev.laurel.core.award;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Receipts: a tenant's own server says that a user has done something, by an HMAC that users cannot
 * make. {@code v1.<expires>.<mac>}, where expires is in epoch seconds and mac is HMAC-SHA256, in
 * base64url, of user, action, action id and expires, a line each. Thread-safe.
 *
 * <p>A tenant's keys follow from one secret of the store, so there is nothing to keep for each. A
 * receipt ends before the action id may be used again: else it would pay once a week.
 */
public final class Receipts {
  /** As long as an action id is not taken again. */
  public static final Duration LONGEST = Duration.ofDays(7);

  public static final int MAX_LENGTH = 128;

  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] secret;

  /**
   * @param secret the same at every node
   */
  public Receipts(byte[] secret) {
    this.secret = secret.clone();
  }

  /** What a receipt is about. */
  public record Action(String userId, String type, String id) {}

  /** The key that a tenant's server signs with. */
  public String key(long tenant, int version) {
    return "laurel_receipt_" + base64(mac(secret, tenant + "/" + version));
  }

  /** What a tenant's server writes. */
  public static String write(String key, int version, Action action, long expiresAtSeconds) {
    return "v" + version + "." + expiresAtSeconds + "." + sign(key, action, expiresAtSeconds);
  }

  /**
   * What is wrong with a receipt; null if nothing is.
   *
   * @param oldest the oldest version of the key that is good; the next one is too, so that a tenant
   *     can go over to it
   */
  public @Nullable String problem(
      long tenant, int oldest, Action action, @Nullable String receipt, long nowMillis) {
    if (receipt == null) {
      return "missing";
    }
    String[] parts = receipt.split("\\.", -1);
    if (receipt.length() > MAX_LENGTH
        || parts.length != 3
        || !parts[0].matches("v[1-9][0-9]{0,8}")
        || !parts[1].matches("[0-9]{1,11}")) {
      return "malformed";
    }
    int version = Integer.parseInt(parts[0].substring(1));
    long expires = Long.parseLong(parts[1]);
    if (version < oldest || version > oldest + 1) {
      return "of another key";
    }
    byte[] expected =
        sign(key(tenant, version), action, expires).getBytes(StandardCharsets.US_ASCII);
    if (!MessageDigest.isEqual(expected, parts[2].getBytes(StandardCharsets.UTF_8))) {
      return "wrong";
    }
    long left = expires - Math.floorDiv(nowMillis, 1000);
    return left <= 0 ? "expired" : left > LONGEST.toSeconds() ? "valid for too long" : null;
  }

  private static String sign(String key, Action action, long expires) {
    return base64(
        mac(
            key.getBytes(StandardCharsets.UTF_8),
            action.userId + "\n" + action.type + "\n" + action.id + "\n" + expires));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] mac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
