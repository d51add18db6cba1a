package dev.laurel.core.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * 128 bits of SHA-256: names an id or a payload in a fixed, small size, whatever callers send.
 * Nobody can make two that are equal.
 */
public record Digest(long high, long low) {
  private static final ThreadLocal<MessageDigest> SHA_256 =
      ThreadLocal.withInitial(Digest::newSha256);

  /** The parts are length-prefixed, so ("ab", "c") and ("a", "bc") differ. */
  public static Digest of(String... parts) {
    MessageDigest digest = SHA_256.get();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
      digest.update(bytes);
    }
    return from(digest.digest());
  }

  public static Digest of(byte[] bytes) {
    return from(SHA_256.get().digest(bytes));
  }

  /** The inverse of {@link #bytes}. */
  public static Digest from(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Digest(buffer.getLong(), buffer.getLong());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
