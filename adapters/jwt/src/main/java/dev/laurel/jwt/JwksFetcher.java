package dev.laurel.jwt;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;

/** Reads key sets from where they are published. Blocking. Thread-safe. */
final class JwksFetcher implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 262_144;

  private final JwtVerifier.Reachable reachable;

  /** Follows no redirect and asks no proxy: either could lead where the check did not look. */
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(TIMEOUT)
          .build();

  JwksFetcher(JwtVerifier.Reachable reachable) {
    this.reachable = reachable;
  }

  /**
   * @param trusted whether the operator named it; a tenant's may lead only where tenants may
   */
  KeySet fetch(URI uri, boolean trusted) throws IOException, ParseException, InterruptedException {
    if (trusted && "file".equals(uri.getScheme())) {
      return KeySet.parse(Files.readString(Path.of(uri)));
    }
    if (!trusted) {
      reachable.require(uri.getHost());
    }
    HttpResponse<InputStream> response =
        http.send(
            HttpRequest.newBuilder(uri)
                .timeout(TIMEOUT)
                .header("Accept", "application/jwk-set+json, application/json")
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      if (response.statusCode() != 200) {
        throw new IOException("status: " + response.statusCode() + " (expected: 200)");
      }
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("key set: too long (expected: at most " + MAX_BYTES + " bytes)");
      }
      return KeySet.parse(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
