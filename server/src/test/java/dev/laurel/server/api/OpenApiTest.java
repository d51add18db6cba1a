package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.api.OpenApiFile.Operation;
import dev.laurel.server.api.OpenApiFile.Parameter;
import dev.laurel.server.api.OpenApiFile.Security;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * openapi.yaml describes what is served, all of it and truthfully: requests are made from it, and
 * {@link Api} holds every answer against it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  private final DescribedServer described = new DescribedServer();

  @AfterAll
  void stop() {
    described.close();
  }

  @Test
  void file_paths_areTheRouteTable() {
    List<String> written = new ArrayList<>();
    for (Operation o : described.file.operations()) {
      written.add(
          line(o.toString(), o.in("query").stream().map(Parameter::name).toList(), o.hasBody())
              + " "
              + o.security());
    }
    List<String> served = new ArrayList<>();
    for (Route route : described.server().laurel().routes().routes()) {
      if (!Contract.isPage(route.template())) {
        served.add(
            line(route.toString(), route.queries(), route.body() == Body.JSON)
                + " "
                + security(route.access()));
      }
    }
    assertThat(written).containsExactlyInAnyOrderElementsOf(served);
  }

  private static String line(String name, List<String> queries, boolean body) {
    return name + " ?" + new TreeSet<>(queries) + (body ? " with a body" : "");
  }

  private static Security security(Access access) {
    return switch (access) {
      case PUBLIC -> Security.NONE;
      case READ_OR_PUBLIC_BOARD, STREAM -> Security.KEY_OR_NONE;
      case READ, INGEST, MANAGE, ADMIN, METRICS -> Security.KEY;
      case USER, AWARD -> Security.TOKEN;
    };
  }

  @Test
  void file_pathParameters_areThoseOfThePath() {
    for (Operation operation : described.file.operations()) {
      String path = operation.path();
      for (Parameter parameter : operation.in("path")) {
        assertThat(path).contains("{" + parameter.name() + "}");
        path = path.replace("{" + parameter.name() + "}", "");
      }
      assertThat(path).as(operation.toString()).doesNotContain("{");
    }
  }

  @Test
  void file_objectSchemas_takeNoOtherFields() {
    assertThat(described.file.objectSchemas()).hasSizeGreaterThan(15);
    for (Map<String, Object> schema : described.file.objectSchemas()) {
      assertThat(schema.get("additionalProperties")).as(schema.toString()).isEqualTo(false);
    }
  }

  @Test
  void file_served_isThisFile() {
    assertThat(described.admin().get("/openapi.yaml").is(200).text()).isEqualTo(Contract.text());
  }

  /** A judge that lets everything pass proves nothing. */
  @Test
  void contract_answersThatAreNotInTheFile_areCaught() {
    Answer good = described.admin().get("/v1/games/chess/leaderboard").is(200);
    for (String text :
        List.of(
            good.text().replace("\"total\":", "\"extra\":1,\"total\":"),
            good.text().replace("\"total\":1", "\"total\":1.5"),
            good.text().replace("\"rank\":1", "\"rank\":0"),
            good.text().replace("\"user_id\"", "\"userId\""))) {
      assertThat(text).isNotEqualTo(good.text());
      Answer bad = Answer.of(200, good.headers(), text);
      assertThatThrownBy(() -> Contract.check("GET", "/v1/games/chess/leaderboard", bad))
          .isInstanceOf(AssertionError.class);
    }
    Answer status = Answer.of(202, good.headers(), good.text());
    assertThatThrownBy(() -> Contract.check("GET", "/v1/games/chess/leaderboard", status))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void everyOperation_withoutAKey_is401UnlessPublic() {
    Api nobody = Api.anonymous(described.server());
    for (Operation operation : described.file.answers()) {
      Answer answer = described.send(nobody, operation);
      boolean open =
          operation.security() == Security.NONE
              || List.of("scoreboard", "listLeaderboards").contains(operation.id());
      assertThat(answer.status()).as(operation.toString()).isEqualTo(open ? 200 : 401);
    }
  }

  @Test
  void everyWrite_withAReadOnlyKey_is403() {
    Api reader = described.admin().key("reader", "read");
    for (Operation operation : described.file.operations()) {
      if (operation.isWrite()) {
        described.send(reader, operation).refused(403, "FORBIDDEN");
      }
    }
  }

  @Test
  void everyWrite_documentsTheIdempotencyKey() {
    for (Operation operation : described.file.operations()) {
      boolean asks =
          operation.method().equals("GET")
              || List.of(
                      "ranks",
                      "tryConfig",
                      "verifyArchive",
                      "trySchema",
                      "verifyLedger",
                      "createTicket",
                      "streamMany")
                  .contains(operation.id());
      assertThat(operation.isWrite()).as(operation.toString()).isEqualTo(!asks);
      if (operation.isWrite()) {
        assertThat(operation.statuses()).as(operation.toString()).contains("409");
        assertThat(
                described
                    .caller(operation)
                    .raw(
                        operation.method(),
                        described.url(operation, Map.of()),
                        described.bodyText(operation),
                        "Idempotency-Key",
                        "not visible")
                    .refused(
                        400, operation.isGame() ? "VALIDATION_ERROR" : "INVALID_IDEMPOTENCY_KEY")
                    .message())
            .contains("Idempotency-Key");
      }
    }
  }

  @Test
  void everyOperation_ofAnUnknownBoard_is404() {
    for (Operation operation : described.file.operations()) {
      if (operation.path().contains("{UUID}")) {
        described
            .send(described.admin(), operation, Map.of("UUID", "nowhere"), operation.bodyExample())
            .refused(404, "BOARD_NOT_FOUND");
      }
    }
  }

  @Test
  void everyOperation_withAnUnknownParameter_is400() {
    for (Operation operation : described.file.operations()) {
      String url = described.url(operation, Map.of());
      String body = described.bodyText(operation);
      described
          .caller(operation)
          .raw(operation.method(), url + (url.contains("?") ? "&" : "?") + "nosuch=1", body)
          .refused(400, "VALIDATION_ERROR");
    }
  }
}
