package dev.laurel.server.hooks;

import dev.laurel.core.hooks.Outgoing.Parcel;
import dev.laurel.server.Version;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Posts one delivery. Blocking. Thread-safe. */
final class HookClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final boolean privateAllowed;

  /** Follows no redirect and asks no proxy: either could lead where the check did not look. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(TIMEOUT)
          .build();

  HookClient(boolean privateAllowed) {
    this.privateAllowed = privateAllowed;
  }

  /** What the receiver answered, or why there is no answer. */
  record Result(@Nullable Integer status, @Nullable String error) {}

  /**
   * @param timestamp epoch seconds
   */
  Result post(Parcel parcel, long timestamp) throws InterruptedException {
    try {
      URI uri = URI.create(parcel.webhook().url());
      if (!privateAllowed) {
        Addresses.requirePublic(uri.getHost());
      }
      String body = parcel.delivery().payload();
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .timeout(TIMEOUT)
              .header("Content-Type", "application/json")
              .header("User-Agent", "Laurel/" + Version.current())
              .header("Laurel-Event", parcel.delivery().event())
              .header("Laurel-Delivery", parcel.delivery().id())
              .header("Laurel-Timestamp", Long.toString(timestamp))
              .header("Laurel-Signature", Signature.of(parcel.webhook().secret(), timestamp, body))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      // The answer's body is nobody's business: the stream is closed unread, however long it is.
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      response.body().close();
      return new Result(response.statusCode(), null);
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

  @Override
  public void close() {
    http.shutdownNow();
  }
}
