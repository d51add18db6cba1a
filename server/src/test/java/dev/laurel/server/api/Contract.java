package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.ValidationReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** openapi.yaml as the judge of answers: status, headers and body of each must be in it. */
final class Contract {
  /** What any route may say, and the file says once for all of them. */
  private static final Set<Integer> EVERYWHERE = Set.of(405, 408, 414, 429, 431);

  private static final String TEXT = read();
  private static final OpenApiInteractionValidator VALIDATOR =
      OpenApiInteractionValidator.createForInlineApiSpecification(TEXT).build();
  private static final AtomicInteger CHECKED = new AtomicInteger();

  private Contract() {}

  /** How many answers were checked so far. */
  static int checked() {
    return CHECKED.get();
  }

  static String text() {
    return TEXT;
  }

  /** What people look at, and what that loads, is not the API. */
  static boolean isPage(String path) {
    return path.equals("/") || path.startsWith("/boards") || path.startsWith("/page/");
  }

  /**
   * @param path as it was sent, without the query
   */
  static void check(String method, String path, Answer answer) {
    String what = method + " " + path + ": " + answer;
    assertThat(answer.header("x-request-id")).as(what).matches("[!-~]{1,128}");
    assertThat(answer.header("x-content-type-options")).as(what).isEqualTo("nosniff");
    assertThat(answer.header("referrer-policy")).as(what).isEqualTo("no-referrer");
    assertThat(answer.header("cache-control")).as(what).isNotEmpty();
    assertThat(answer.status()).as(what).isNotEqualTo(500);
    if (answer.status() >= 400) {
      envelope(answer, what);
    }
    if (EVERYWHERE.contains(answer.status()) || answer.code().equals("NOT_FOUND")) {
      return;
    }
    SimpleResponse.Builder response = SimpleResponse.Builder.status(answer.status());
    answer.headers().map().forEach(response::withHeader);
    if (!answer.text().isEmpty()) {
      response.withBody(answer.text());
    }
    ValidationReport report =
        VALIDATOR.validateResponse(path, Request.Method.valueOf(method), response.build());
    assertThat(report.getMessages()).as(what).isEmpty();
    CHECKED.incrementAndGet();
  }

  private static void envelope(Answer answer, String what) {
    assertThat(answer.json().propertyNames()).as(what).containsExactly("error");
    assertThat(answer.json().get("error").propertyNames())
        .as(what)
        .containsExactly("code", "message", "details");
    assertThat(answer.code()).as(what).matches("[A-Z][A-Z_]+");
    assertThat(answer.message()).as(what).isNotBlank().doesNotContain("Exception");
    assertThat(answer.json().at("/error/details").isObject()).as(what).isTrue();
    assertThat(answer.header("retry-after").isEmpty())
        .as(what)
        .isEqualTo(answer.status() != 503 && answer.status() != 429);
    assertThat(answer.header("www-authenticate").toLowerCase(Locale.ROOT).isEmpty())
        .as(what)
        .isEqualTo(answer.status() != 401);
  }

  private static String read() {
    try (InputStream in = Contract.class.getResourceAsStream("/openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("openapi.yaml is not there");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
