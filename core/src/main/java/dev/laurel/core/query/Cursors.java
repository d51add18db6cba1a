package dev.laurel.core.query;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals cursors (AES-GCM): a cursor has the number of a user, by which somebody hidden on one board
 * would be known again on another, so nobody reads one, makes one up or changes one. Thread-safe.
 *
 * <p>A nonce is the number of this process, taken at random, and a counter. Random ones alone would
 * meet after some billions of pages, and GCM gives its key away when two do.
 *
 * <p>Most readers ask for the same first pages, so the last ones are remembered: sealing one takes
 * about a microsecond, a twentieth of the page.
 */
public final class Cursors {
  private static final int PLAIN = 8 + 8 + 8 + 4 + 8;
  private static final int NONCE = 12;
  private static final int TAG = 16;
  private static final int SEALED = NONCE + PLAIN + TAG;
  private static final int SEALED_CHARACTERS = (SEALED * 8 + 5) / 6;
  private static final ThreadLocal<Cipher> CIPHER = ThreadLocal.withInitial(Cursors::cipher);

  private static final int REMEMBERED = 256;

  /** By the cursor's hash. Nobody minds if two threads seal the same one. */
  private final AtomicReferenceArray<@Nullable Sealed> recent =
      new AtomicReferenceArray<>(REMEMBERED);

  private final SecretKeySpec key;
  private final int process;
  private final AtomicLong count;

  private record Sealed(Cursor cursor, String text) {}

  /**
   * @param secret the same at every node, of 256 bits
   */
  public Cursors(byte[] secret) {
    SecureRandom random = new SecureRandom();
    this.key = new SecretKeySpec(secret, "AES");
    this.process = random.nextInt();
    this.count = new AtomicLong(random.nextLong());
  }

  /** Safe in a URL. */
  public String seal(Cursor cursor) {
    int slot = Math.floorMod(cursor.hashCode(), REMEMBERED);
    Sealed known = recent.getAcquire(slot);
    if (known == null || !known.cursor.equals(cursor)) {
      known = new Sealed(cursor, sealed(cursor));
      recent.setRelease(slot, known);
    }
    return known.text;
  }

  private String sealed(Cursor cursor) {
    byte[] all = new byte[SEALED];
    ByteBuffer buffer = ByteBuffer.wrap(all);
    buffer.putInt(process).putLong(count.getAndIncrement());
    buffer
        .putLong(cursor.season())
        .putLong(cursor.score())
        .putLong(cursor.reached())
        .putInt(cursor.user())
        .putLong(cursor.position());
    try {
      Cipher cipher = CIPHER.get();
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(8 * TAG, all, 0, NONCE));
      cipher.doFinal(all, NONCE, PLAIN, all, NONCE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** Null if it is not one of ours. */
  public @Nullable Cursor open(String text) {
    if (text.length() != SEALED_CHARACTERS) {
      return null;
    }
    try {
      byte[] all = Base64.getUrlDecoder().decode(text);
      Cipher cipher = CIPHER.get();
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(8 * TAG, all, 0, NONCE));
      ByteBuffer plain = ByteBuffer.wrap(cipher.doFinal(all, NONCE, PLAIN + TAG));
      return new Cursor(
          plain.getLong(), plain.getLong(), plain.getLong(), plain.getInt(), plain.getLong());
    } catch (IllegalArgumentException | AEADBadTagException e) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }

  private static Cipher cipher() {
    try {
      return Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }
}
