package dev.laurel.server.limits;

import dev.laurel.core.store.LedgerKey;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.LogSampler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line for keys and tokens that were refused, with where they came from: so that somebody sees
 * who guesses. An address is personal, so it is a hash by default: the same address gives the same
 * one until the process ends. Never what was sent. Thread-safe.
 */
public final class RefusedCredentials {
  private static final Logger LOG = LoggerFactory.getLogger("laurel.refused");
  private static final int LINES = 20;
  private static final Duration A_WHILE = Duration.ofSeconds(10);
  private static final int HASH_BYTES = 8;

  private final boolean plain;
  private final LedgerKey key = LedgerKey.random();
  private final LogSampler sampler = new LogSampler(LINES, A_WHILE);

  /**
   * @param plain whether addresses are written as they are, for programs that block them
   */
  public RefusedCredentials(boolean plain) {
    this.plain = plain;
  }

  void log(Exchange exchange, String address) {
    int leftOut = sampler.take("refused", System.nanoTime());
    if (leftOut == LogSampler.LEFT_OUT) {
      return;
    }
    LOG.atWarn()
        .addKeyValue("address", plain ? readable(address) : hash(address))
        .addKeyValue("route", exchange.route().template())
        .addKeyValue("requestId", exchange.requestId())
        .addKeyValue("leftOut", leftOut)
        .log("credentials refused");
  }

  /** The bytes that limits know callers by, as people write them; of IPv6 the network. */
  private static String readable(String bytes) {
    String[] parts = bytes.replaceAll("[\\[\\] ]", "").split(",", -1);
    StringBuilder text = new StringBuilder();
    if (parts.length != Long.BYTES) {
      for (String part : parts) {
        text.append(text.isEmpty() || part.isEmpty() ? "" : ".");
        text.append(part.isEmpty() ? "" : Integer.parseInt(part) & 0xff);
      }
      return text.toString();
    }
    for (int i = 0; i < parts.length; i += 2) {
      int high = Integer.parseInt(parts[i]) & 0xff;
      int low = Integer.parseInt(parts[i + 1]) & 0xff;
      text.append(Integer.toHexString(high << 8 | low)).append(':');
    }
    return text + ":/64";
  }

  private String hash(String address) {
    byte[] whole = key.mac().doFinal(address.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(whole, 0, HASH_BYTES);
  }
}
