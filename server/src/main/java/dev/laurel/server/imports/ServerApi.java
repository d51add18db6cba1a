package dev.laurel.server.imports;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.IsoTimes;
import dev.laurel.server.client.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The two routes of the server that an import needs. Thread-safe. */
final class ServerApi implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern PLACE = Pattern.compile("^scores\\[\\d+]\\.");
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private final HttpClient client;
  private final String url;
  private final String board;
  private final @Nullable String key;
  private final @Nullable String tenant;
  private final Duration patience;

  /** What became of a line. */
  record Result(LineOutcome outcome, String code, String message) {
    /** Whether only the time is wrong: it is before the board's start. */
    boolean isTooEarly() {
      return code.equals(ErrorCode.SEASON_NOT_STARTED.name());
    }
  }

  /**
   * @param patience for how long a server that does not answer is asked again
   */
  ServerApi(
      String url,
      String board,
      @Nullable String key,
      @Nullable String tenant,
      Duration patience,
      ClientTls tls) {
    this.client = tls.client();
    this.url = url;
    this.board = board;
    this.key = key;
    this.tenant = tenant;
    this.patience = patience;
  }

  /**
   * What the server says of the board.
   *
   * @param created when it was made; empty if this key may write but not read
   * @param start when it begins; null if it has no start, or this key may not read
   */
  record BoardFacts(String created, @Nullable Instant start) {
    private static final BoardFacts UNKNOWN = new BoardFacts("", null);

    boolean hasBegun() {
      return start == null || !start.isAfter(Instant.now());
    }
  }

  BoardFacts board() {
    HttpResponse<byte[]> response;
    try {
      response = client.send(request("").GET().build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (SSLException e) {
      throw new ImportException(ClientTls.refused(url, e), e);
    } catch (IOException e) {
      throw new ImportException(
          "no server answers at "
              + url
              + ": start one with `laurel serve`, or name yours with --url",
          e);
    } catch (InterruptedException e) {
      throw new ImportException("interrupted", e);
    }
    if (response.statusCode() == 403) {
      return BoardFacts.UNKNOWN;
    }
    if (response.statusCode() != 200) {
      throw refused(response);
    }
    JsonNode told = parse(response);
    Long start = IsoTimes.millis(told.path("startTime").asString(""));
    return new BoardFacts(
        told.path("createdAt").asString(""), start == null ? null : Instant.ofEpochMilli(start));
  }

  /**
   * Sends a batch until it is answered: it has a key, so once more does no harm.
   *
   * @param goOn asked before every attempt
   * @return one for each good line
   */
  List<Result> send(Batch batch, BooleanSupplier goOn) {
    HttpRequest request =
        request("/scores")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "import-" + batch.key())
            .POST(HttpRequest.BodyPublishers.ofByteArray(batch.body()))
            .build();
    long giveUp = System.nanoTime() + patience.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      String why;
      long wait = pause;
      try {
        HttpResponse<byte[]> response =
            client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() == 200) {
          return results(response, batch.good().size());
        }
        if (!isTemporary(response.statusCode())) {
          throw refused(response);
        }
        why = "it answers " + response.statusCode();
        wait = Math.max(pause, retryAfterMillis(response));
      } catch (IOException e) {
        why = e.getMessage() == null ? e.toString() : e.getMessage();
      } catch (InterruptedException e) {
        throw new ImportException("interrupted", e);
      }
      if (!goOn.getAsBoolean() || System.nanoTime() + wait * 1_000_000 > giveUp) {
        throw new ImportException(
            "the server at " + url + " is not available (" + why + "): run it again to go on");
      }
      sleep(wait);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  private HttpRequest.Builder request(String path) {
    String name = URLEncoder.encode(board, StandardCharsets.UTF_8).replace("+", "%20");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/api/v1/leaderboards/" + name + path))
            .timeout(TIMEOUT);
    if (key != null) {
      request.header("X-API-Key", key);
    }
    if (tenant != null) {
      request.header("Laurel-Tenant", tenant);
    }
    return request;
  }

  private static boolean isTemporary(int status) {
    return status == 408 || status == 429 || status == 502 || status == 503 || status == 504;
  }

  private static long retryAfterMillis(HttpResponse<?> response) {
    String seconds = response.headers().firstValue("Retry-After").orElse("0");
    return seconds.matches("[0-9]{1,5}") ? 1000 * Long.parseLong(seconds) : 0;
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new ImportException("interrupted", e);
    }
  }

  private List<Result> results(HttpResponse<byte[]> response, int expected) {
    List<Result> results = new ArrayList<>(expected);
    JsonNode lines = parse(response).get("results");
    if (lines != null) {
      for (JsonNode line : lines) {
        results.add(
            new Result(
                outcome(line.path("outcome").asString("")),
                line.path("code").asString(""),
                // Its place in the batch says nothing to whoever looks at the file.
                PLACE.matcher(line.path("message").asString("")).replaceFirst("")));
      }
    }
    if (results.size() != expected) {
      throw new ImportException(
          "the server at "
              + url
              + " answers "
              + results.size()
              + " results to "
              + expected
              + " lines: is it Laurel?");
    }
    return results;
  }

  /** One that is not known must not be taken for another: the line may count, or not. */
  private LineOutcome outcome(String said) {
    for (LineOutcome known : LineOutcome.values()) {
      if (known.name().equals(said)) {
        return known;
      }
    }
    throw new ImportException(
        "the server at "
            + url
            + " answers the outcome \""
            + said
            + "\", which this version does not know: run it again with the server's own version");
  }

  private JsonNode parse(HttpResponse<byte[]> response) {
    try {
      return JSON.readTree(response.body());
    } catch (JacksonException e) {
      throw new ImportException("the server at " + url + " does not answer JSON: is it Laurel?", e);
    }
  }

  private ImportException refused(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    JsonNode error = JSON.createObjectNode();
    try {
      error = JSON.readTree(response.body()).path("error");
    } catch (JacksonException e) {
      // Not Laurel's envelope; the status has to do.
    }
    String code = error.path("code").asString("");
    String said = error.path("message").asString("status " + status);
    return new ImportException(
        switch (status) {
          case 401 ->
              (key == null ? "no key was given" : "the key is not in force")
                  + ": set LAUREL_KEY (or LAUREL_ADMIN_KEY), or use --key";
          case 403 -> "the key may not write scores (" + said + "): it needs the scope ingest";
          case 413 -> "a batch is larger than the server's max-body-bytes: raise it";
          case 404 ->
              code.equals("BOARD_NOT_FOUND")
                  ? "there is no board %s%s. Make it first: curl -X POST %s/api/v1/leaderboards -H \"X-API-Key: $LAUREL_ADMIN_KEY\" -H \"Content-Type: application/json\" -d '{\"UUID\": \"%s\"}'"
                      .formatted(board, tenant == null ? "" : " of tenant " + tenant, url, board)
                  : "the server at " + url + " is not Laurel, or an old one: " + said;
          default -> code.isEmpty() ? said : code + ": " + said;
        });
  }

  @Override
  public void close() {
    client.close();
  }
}
