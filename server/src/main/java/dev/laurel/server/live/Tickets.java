package dev.laurel.server.live;

import dev.laurel.core.access.Principal;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredSecret;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tickets that open the stream of one board for a short time: its number, when they end and whose
 * they are, signed by a secret that the nodes of a store share. Thread-safe.
 */
public final class Tickets {
  public static final Duration LIFE = Duration.ofSeconds(60);

  private static final String ALGORITHM = "HmacSHA256";
  private static final int CLAIMS = 4 * Long.BYTES;

  private final SecretKeySpec key;
  private final InstantSource clock;

  /** Makes the secret if the store has none. */
  public Tickets(Store store, InstantSource clock) {
    this.key = new SecretKeySpec(StoredSecret.of(store, "ticket"), ALGORITHM);
    this.clock = clock;
  }

  /** A ticket. */
  public record Ticket(String text, long expiresAt) {}

  /**
   * What a ticket says.
   *
   * @param caller the number of who asked for it
   * @param until when that caller's own credentials are good no more
   */
  public record Claims(long board, long caller, long until) {}

  public Ticket issue(long board, Principal caller) {
    long expiresAt = clock.millis() + LIFE.toMillis();
    ByteBuffer claims =
        ByteBuffer.allocate(CLAIMS)
            .putLong(board)
            .putLong(expiresAt)
            .putLong(caller.number())
            .putLong(caller.until());
    byte[] mac = mac(claims.array());
    byte[] all = Arrays.copyOf(claims.array(), CLAIMS + mac.length);
    System.arraycopy(mac, 0, all, CLAIMS, mac.length);
    return new Ticket(Base64.getUrlEncoder().withoutPadding().encodeToString(all), expiresAt);
  }

  /** Null if it was made up or its time is over. */
  public @Nullable Claims read(String ticket) {
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(ticket);
    } catch (IllegalArgumentException e) {
      return null;
    }
    byte[] claims = Arrays.copyOf(all, CLAIMS);
    byte[] mac = all.length < CLAIMS ? new byte[0] : Arrays.copyOfRange(all, CLAIMS, all.length);
    if (!MessageDigest.isEqual(mac, mac(claims))) {
      return null;
    }
    ByteBuffer read = ByteBuffer.wrap(claims);
    long board = read.getLong();
    return clock.millis() < read.getLong()
        ? new Claims(board, read.getLong(), read.getLong())
        : null;
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
