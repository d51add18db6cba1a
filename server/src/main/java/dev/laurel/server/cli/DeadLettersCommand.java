package dev.laurel.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code laurel dead-letters}: events that were refused, and their way back. */
@Command(
    name = "dead-letters",
    sortOptions = false,
    description = "List events that were refused, or send them again, on a running server.",
    footer = {
      "",
      "list prints a line for each: id, code, how often it was refused, when, and why. redrive sends"
          + " those with the given ids again, or those of --topic and with --code, or with neither"
          + " all of the tenant. What is sent again counts once, however often it is sent.",
      "",
      "Exit status: 0 done; 9 the server did not do it; 2 a wrong option."
    })
final class DeadLettersCommand {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String PATH = "/api/v1/dead-letters";

  @Mixin ServerOptions server;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  DeadLettersCommand(Map<String, String> env) {
    this.server = new ServerOptions(env);
  }

  @Command(name = "list", description = "Print dead letters that were not sent again yet.")
  int list(
      @Option(names = "--topic", paramLabel = "TOPIC", description = "that the events came from")
          @Nullable String topic,
      @Option(names = "--code", paramLabel = "CODE", description = "why they were refused")
          @Nullable String code) {
    PrintWriter out = spec.commandLine().getOut();
    String cursor = null;
    do {
      String path = PATH + "?limit=1000" + query("topic", topic) + query("code", code);
      JsonNode page = call(path + query("cursor", cursor), null);
      if (page == null) {
        return ExitCode.CALL_FAILED;
      }
      for (JsonNode letter : page.path("deadLetters")) {
        out.println(
            String.join(
                "\t",
                List.of(
                    letter.path("id").asString(""),
                    letter.path("code").asString(""),
                    letter.path("attempt").asString(""),
                    letter.path("at").asString(""),
                    letter.path("reason").asString(""))));
      }
      cursor = page.path("nextCursor").isMissingNode() ? null : page.path("nextCursor").asString();
    } while (cursor != null);
    return ExitCode.OK;
  }

  private static String query(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  @Command(name = "redrive", description = "Send dead letters again.")
  int redrive(
      @Parameters(arity = "0..*", paramLabel = "ID", description = "as list prints them")
          List<String> ids,
      @Option(names = "--topic", paramLabel = "TOPIC", description = "that the events came from")
          @Nullable String topic,
      @Option(names = "--code", paramLabel = "CODE", description = "why they were refused")
          @Nullable String code) {
    ObjectNode body = JSON.createObjectNode();
    if (ids != null && !ids.isEmpty()) {
      ids.forEach(body.putArray("ids")::add);
    }
    if (topic != null) {
      body.put("topic", topic);
    }
    if (code != null) {
      body.put("code", code);
    }
    JsonNode answer = call(PATH + "/redrive", body.toString());
    if (answer == null) {
      return ExitCode.CALL_FAILED;
    }
    spec.commandLine().getOut().println(answer.path("redriven").asString("0") + " sent again");
    return ExitCode.OK;
  }

  /** Null if the server did not do it, which is said. */
  private @Nullable JsonNode call(String path, @Nullable String body) {
    PrintWriter err = spec.commandLine().getErr();
    String url = server.url();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofMinutes(5));
    String secret = server.key();
    String tenant = server.tenant();
    if (secret != null) {
      request.header("X-API-Key", secret);
    }
    if (tenant != null) {
      request.header("Laurel-Tenant", tenant);
    }
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      JsonNode answer = JSON.readTree(response.body());
      if (response.statusCode() == 200) {
        return answer;
      }
      JsonNode error = answer.path("error");
      err.println(
          "laurel: "
              + error.path("code").asString("status " + response.statusCode())
              + ": "
              + error.path("message").asString(""));
    } catch (IOException | JacksonException e) {
      err.println("laurel: no Laurel server answers at " + url + ": name yours with --url");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }
}
