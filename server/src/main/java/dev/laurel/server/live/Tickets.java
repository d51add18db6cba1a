package dev.laurel.server.live;

import dev.laurel.core.store.Store;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tickets that open the stream of one board for a short time: its number and when they end, signed
 * by a secret that the nodes of a store share. Thread-safe.
 */
public final class Tickets {
  public static final Duration LIFE = Duration.ofSeconds(60);

  /** What no board has. */
  public static final long NONE = 0;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int CLAIMS = 2 * Long.BYTES;
  private static final int KEY_NUMBERS = 4;

  private final SecretKeySpec key;
  private final InstantSource clock;

  /** Makes the secret if the store has none. */
  public Tickets(Store store, InstantSource clock) {
    SecureRandom random = new SecureRandom();
    ByteBuffer secret = ByteBuffer.allocate(KEY_NUMBERS * Long.BYTES);
    store.write(
        tx -> {
          secret.clear();
          for (int i = 0; i < KEY_NUMBERS; i++) {
            secret.putLong(tx.keep("ticket-" + i, random.nextLong()));
          }
          return true;
        });
    this.key = new SecretKeySpec(secret.array(), ALGORITHM);
    this.clock = clock;
  }

  /** A ticket. */
  public record Ticket(String text, long expiresAt) {}

  public Ticket issue(long board) {
    long expiresAt = clock.millis() + LIFE.toMillis();
    ByteBuffer claims = ByteBuffer.allocate(CLAIMS).putLong(board).putLong(expiresAt);
    byte[] mac = mac(claims.array());
    byte[] all = Arrays.copyOf(claims.array(), CLAIMS + mac.length);
    System.arraycopy(mac, 0, all, CLAIMS, mac.length);
    return new Ticket(Base64.getUrlEncoder().withoutPadding().encodeToString(all), expiresAt);
  }

  /** The board that it opens now; {@link #NONE} if it was made up or its time is over. */
  public long board(String ticket) {
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(ticket);
    } catch (IllegalArgumentException e) {
      return NONE;
    }
    byte[] claims = Arrays.copyOf(all, CLAIMS);
    byte[] mac = all.length < CLAIMS ? new byte[0] : Arrays.copyOfRange(all, CLAIMS, all.length);
    if (!MessageDigest.isEqual(mac, mac(claims))) {
      return NONE;
    }
    ByteBuffer read = ByteBuffer.wrap(claims);
    long board = read.getLong();
    return clock.millis() < read.getLong() ? board : NONE;
  }

  private byte[] mac(byte[] claims) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(claims);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
