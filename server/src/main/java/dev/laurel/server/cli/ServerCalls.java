package dev.laurel.server.cli;

import dev.laurel.server.client.ClientTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of a running server, whose refusals become {@link CallException}s. */
final class ServerCalls implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient client;
  private final String url;
  private final @Nullable String key;
  private final @Nullable String tenant;

  ServerCalls(String url, @Nullable String key, @Nullable String tenant, ClientTls tls) {
    this.client = tls.client();
    this.url = url;
    this.key = key;
    this.tenant = tenant;
  }

  JsonNode get(String path) {
    return json(send("GET", path, null));
  }

  /** However long it takes: it may read a large archive. */
  JsonNode post(String path) {
    return json(send("POST", path, null));
  }

  JsonNode post(String path, JsonNode body) {
    return json(send("POST", path, body));
  }

  /** The same where the answer comes line by line, over as long a time as it takes. */
  void post(String path, JsonNode body, Consumer<JsonNode> line) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(send("POST", path, body), StandardCharsets.UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line.accept(JSON.readTree(text));
      }
    } catch (IOException | JacksonException e) {
      throw brokeOff(e);
    }
  }

  /** Copies an answer of any length. */
  void download(String path, OutputStream out) {
    try (InputStream in = send("GET", path, null)) {
      in.transferTo(out);
    } catch (IOException e) {
      throw brokeOff(e);
    }
  }

  private CallException brokeOff(Exception e) {
    return new CallException("the answer of " + url + " broke off: " + e.getMessage(), e);
  }

  private InputStream send(String method, String path, @Nullable JsonNode body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body.toString()));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (key != null) {
      request.header("X-API-Key", key);
    }
    if (tenant != null) {
      request.header("Laurel-Tenant", tenant);
    }
    try {
      HttpResponse<InputStream> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      if (response.statusCode() >= 300) {
        throw refused(response.statusCode(), response.body());
      }
      return response.body();
    } catch (SSLException e) {
      throw new CallException(ClientTls.refused(url, e), e);
    } catch (IOException e) {
      throw new CallException(
          "no server answers at "
              + url
              + ": start one with `laurel serve`, or name yours with --url",
          e);
    } catch (InterruptedException e) {
      throw new CallException("interrupted", e);
    }
  }

  private JsonNode json(InputStream body) {
    try (body) {
      return JSON.readTree(body.readAllBytes());
    } catch (IOException | JacksonException e) {
      throw new CallException("the server at " + url + " does not answer JSON: is it Laurel?", e);
    }
  }

  private CallException refused(int status, InputStream body) {
    JsonNode error = json(body).path("error");
    String said = error.path("code").asString("") + ": " + error.path("message").asString("");
    return new CallException(
        status == 401
            ? (key == null ? "no key was given" : "the key is not in force")
                + ": set LAUREL_KEY (or LAUREL_ADMIN_KEY), or use --key"
            : said);
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void close() {
    client.close();
  }
}
