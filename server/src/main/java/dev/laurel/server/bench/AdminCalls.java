package dev.laurel.server.bench;

import dev.laurel.server.client.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The few calls around a run that are not measured. */
final class AdminCalls implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client;
  private final Target target;

  AdminCalls(Target target) {
    this.target = target;
    this.client = target.tls().client();
  }

  void createBoard(int decimals, List<String> schedules) throws InterruptedException {
    ObjectNode body =
        JSON.createObjectNode()
            .put("UUID", target.board())
            .put("name", "Made by laurel bench")
            .put("update", "LATEST")
            .put("decimals", decimals);
    ArrayNode windows = body.putArray("windows");
    for (String schedule : schedules) {
      windows.addObject().put("name", schedule).put("schedule", schedule);
    }
    HttpResponse<String> response =
        send(request("/api/v1/leaderboards").POST(BodyPublishers.ofString(body.toString())));
    if (response.statusCode() == 409) {
      throw new BenchException(
          "there is a board "
              + target.board()
              + " already: name another with --board, or run on it as it is with --reuse");
    }
    expect(response, 201);
  }

  /** How many users the board has. */
  long users() throws InterruptedException {
    HttpResponse<String> response = send(request(target.boardPath()).GET());
    expect(response, 200);
    return json(response).path("totalUsers").asLong(0);
  }

  void completeBoard() throws InterruptedException {
    HttpRequest.Builder request =
        request(target.boardPath())
            .method("PATCH", BodyPublishers.ofString("{\"status\":\"COMPLETED\"}"));
    expect(send(request), 200);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target.url() + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json");
    String key = target.key();
    return key == null ? request : request.header("X-API-Key", key);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (SSLException e) {
      throw new BenchException(ClientTls.refused(target.url(), e), e);
    } catch (IOException e) {
      throw new BenchException(
          "no server answers at "
              + target.url()
              + ": start one with `laurel serve`, or leave out --url to have one started",
          e);
    }
  }

  private void expect(HttpResponse<String> response, int status) {
    if (response.statusCode() == status) {
      return;
    }
    String said = json(response).path("error").path("message").asString("");
    throw new BenchException(
        switch (response.statusCode()) {
          case 401 ->
              target.key() == null
                  ? "no key was given: set LAUREL_ADMIN_KEY, or use --key"
                  : "the key is not in force at " + target.url();
          case 403 -> "the key may not do this (" + said + "): it needs read, ingest and manage";
          default ->
              "the server at %s answers %d to %s: %s"
                  .formatted(
                      target.url(),
                      response.statusCode(),
                      response.request().uri().getPath(),
                      said);
        });
  }

  private JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (JacksonException e) {
      throw new BenchException("the server at " + target.url() + " does not answer JSON", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
