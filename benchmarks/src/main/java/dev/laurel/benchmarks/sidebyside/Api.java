package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The few calls that prepare and check a server; load comes from wrk. Thread-safe. */
final class Api {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Pattern RANK = Pattern.compile("\"rank\":(\\d+)");

  private final String url;
  private final String key;

  Api(int port, String key) {
    this.url = "http://127.0.0.1:" + port;
    this.key = key;
  }

  String url() {
    return url;
  }

  String key() {
    return key;
  }

  static String rankPath(String user) {
    return "/api/v1/leaderboards/bench/users/" + user + "/rank";
  }

  /** The answer of a GET; null while nobody listens or the answer is not 200. */
  @Nullable String tryGet(String path) {
    try {
      HttpResponse<String> response = send(request(path).GET());
      return response.statusCode() == 200 ? response.body() : null;
    } catch (IOException e) {
      return null;
    }
  }

  String post(String path, String json) {
    try {
      HttpResponse<String> response =
          send(
              request(path)
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(json)));
      if (response.statusCode() / 100 != 2) {
        throw new IllegalStateException(
            path + ": " + response.statusCode() + " " + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new IllegalStateException(path + ": " + e, e);
    }
  }

  /** The user's rank; 0 while there is no answer. */
  long rank(String user) {
    String answer = tryGet(rankPath(user));
    Matcher found = RANK.matcher(answer == null ? "" : answer);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("X-API-Key", key)
        .timeout(Duration.ofSeconds(60));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}
