package dev.laurel.server.outbound;

import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** Reads the key sets that issuers of tokens publish. Blocking. */
public final class PublishedKeys {
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 262_144;

  private PublishedKeys() {}

  /**
   * @param trusted whether the operator named it; what a tenant names needs https, because whoever
   *     stands in between could hand out other keys
   */
  public static String read(OutboundClient client, URI uri, boolean trusted)
      throws IOException, InterruptedException {
    if (!trusted && !client.isPrivateAllowed() && !"https".equals(uri.getScheme())) {
      throw new IOException("jwksUrl: not https (expected: https, or the setting webhook-private)");
    }
    OutboundClient.Answer answer =
        client.send(
            new OutboundClient.Call(
                HttpMethod.GET,
                uri,
                trusted,
                Map.of("Accept", "application/jwk-set+json, application/json"),
                null,
                MAX_BYTES,
                DEADLINE));
    if (answer.status() != 200) {
      throw new IOException("status: " + answer.status() + " (expected: 200)");
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
