package dev.laurel.server.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What every server has, whatever it serves: health, metrics, its own description. */
public final class BuiltInRoutes {
  private static final byte[] OK = "{\"status\":\"ok\"}".getBytes(StandardCharsets.UTF_8);
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry;
  private final byte[] openApi = resource("/openapi.yaml");
  private final byte[] page = resource("/page/index.html");

  public BuiltInRoutes(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  public void addTo(RouteTable table) {
    table.get("/", Kind.HOT, Access.PUBLIC, this::page);
    table.get("/openapi.yaml", Kind.HOT, Access.PUBLIC, this::openApi);
    table.get("/metrics", Kind.BLOCKING, Access.ADMIN_OR_LOOPBACK, this::metrics);
    table.get("/v1/healthz", Kind.HOT, Access.PUBLIC, this::health);
    table.get("/api/v1/health", Kind.HOT, Access.PUBLIC, this::health);
  }

  private void health(Exchange exchange) {
    exchange.send(AnswerWriter.JSON, OK);
  }

  private void metrics(Exchange exchange) {
    exchange.send(METRICS_TYPE, registry.scrape().getBytes(StandardCharsets.UTF_8));
  }

  private void openApi(Exchange exchange) {
    exchange.cacheControl("no-cache").send("application/yaml", openApi);
  }

  private void page(Exchange exchange) {
    exchange
        .cacheControl("no-cache")
        .header(
            "content-security-policy",
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        .send("text/html; charset=utf-8", page);
  }

  private static byte[] resource(String name) {
    try (InputStream in = BuiltInRoutes.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
