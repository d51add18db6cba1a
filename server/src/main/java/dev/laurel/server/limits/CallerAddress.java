package dev.laurel.server.limits;

import dev.laurel.core.guard.Guards;
import dev.laurel.core.model.Board;
import dev.laurel.core.store.GuardRule;
import dev.laurel.server.http.Exchange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.function.ToLongBiFunction;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A number that stands for the address of a user, for boards whose guard asks. It is a keyed hash
 * by a key that ends with the process, so nobody can go back from it. Thread-safe.
 */
public final class CallerAddress implements ToLongBiFunction<Exchange, Board> {
  private static final String MAC = "HmacSHA256";

  private final Guards guards;
  private final TrustedProxies proxies;
  private final SecretKeySpec key;

  public CallerAddress(Guards guards, TrustedProxies proxies) {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    this.guards = guards;
    this.proxies = proxies;
    this.key = new SecretKeySpec(secret, MAC);
  }

  /** 0 if nobody asks. */
  @Override
  public long applyAsLong(Exchange exchange, Board board) {
    for (GuardRule rule : guards.of(board)) {
      if (rule.kind() == GuardRule.Kind.USERS_PER_ADDRESS) {
        return hash(proxies.client(exchange.peer(), exchange.raw()));
      }
    }
    return 0;
  }

  private long hash(String address) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      return ByteBuffer.wrap(mac.doFinal(address.getBytes(StandardCharsets.UTF_8))).getLong() | 1;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }
}
