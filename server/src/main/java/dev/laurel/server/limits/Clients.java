package dev.laurel.server.limits;

import dev.laurel.core.access.Principal;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.server.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Where users and strangers call from, for the ledger: hashes with a key that is not in the
 * database, never the address or the user agent itself. The same address gives the same hash within
 * a tenant, so that many users of one address can be seen. Thread-safe.
 */
public final class Clients {
  private static final int ADDRESS_BYTES = 16;
  private static final int AGENT_BYTES = 8;

  private final LedgerKey key;
  private final TrustedProxies proxies;

  /**
   * @param ledgerKey null for one that ends with the process: without any, the few addresses there
   *     are could be tried
   */
  public Clients(@Nullable LedgerKey ledgerKey, TrustedProxies proxies) {
    this.key = (ledgerKey == null ? LedgerKey.random() : ledgerKey).derived("client");
    this.proxies = proxies;
  }

  /** The request with where it comes from, unless a service sends it. */
  public Request mark(Exchange exchange, Request request) {
    Principal caller = exchange.principal();
    return caller == null || caller.number() > 0
        ? request
        : request.from(hash(caller.tenant(), exchange));
  }

  private String hash(long tenant, Exchange exchange) {
    Mac mac = key.mac();
    String agent = exchange.header("User-Agent");
    String address = proxies.client(exchange.peer(), exchange.raw());
    return hash(mac, "address " + tenant + " " + address, ADDRESS_BYTES)
        + "."
        + hash(mac, "agent " + tenant + " " + (agent == null ? "" : agent), AGENT_BYTES);
  }

  private static String hash(Mac mac, String text, int bytes) {
    byte[] whole = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(Arrays.copyOf(whole, bytes));
  }
}
