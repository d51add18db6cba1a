package dev.laurel.server.hooks;

import dev.laurel.core.hooks.Outgoing.Parcel;
import dev.laurel.server.Version;
import dev.laurel.server.outbound.OutboundClient;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Posts one delivery. Blocking. Thread-safe. */
final class HookClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final OutboundClient client;

  HookClient(OutboundClient client) {
    this.client = client;
  }

  /** What the receiver answered, or why there is no answer. */
  record Result(@Nullable Integer status, @Nullable String error) {}

  /**
   * @param timestamp epoch seconds
   */
  Result post(Parcel parcel, long timestamp) throws InterruptedException {
    try {
      String body = parcel.delivery().payload();
      OutboundClient.Answer answer =
          client.send(
              new OutboundClient.Call(
                  HttpMethod.POST,
                  URI.create(parcel.webhook().url()),
                  false,
                  Map.of(
                      "Content-Type",
                      "application/json",
                      "User-Agent",
                      "Laurel/" + Version.current(),
                      "Laurel-Event",
                      parcel.delivery().event(),
                      "Laurel-Event-Id",
                      parcel.delivery().eventId(),
                      "Laurel-Delivery",
                      parcel.delivery().id(),
                      "Laurel-Timestamp",
                      Long.toString(timestamp),
                      "Laurel-Signature",
                      Signature.of(parcel.webhook().secrets(), timestamp, body)),
                  body,
                  0,
                  TIMEOUT));
      return new Result(answer.status(), null);
    } catch (IOException | IllegalArgumentException e) {
      return new Result(null, describe(e));
    }
  }

  /** In words that tell a tenant nothing of the network that we are in. */
  private static String describe(Exception e) {
    return switch (e) {
      case HttpTimeoutException _ -> "no answer within " + TIMEOUT.toSeconds() + " s";
      case UnknownHostException _ -> "the host's name is unknown";
      case ConnectException _ -> "no connection";
      case SSLException _ -> "TLS failed: " + e.getMessage();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
