package dev.laurel.server.http;

import dev.laurel.core.vital.Failures;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/** What every server has, whatever it serves: its page, metrics, its own description. */
public final class BuiltInRoutes {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry;
  private final Runnable beforeScrape;
  private final ScrapeFailures failures = new ScrapeFailures();
  private final ReentrantLock scraping = new ReentrantLock();
  private final byte[] openApi = resource("/openapi.yaml");
  private final byte[] page = resource("/page/index.html");

  /**
   * @param beforeScrape brings the metrics up to date that are only looked at here; if it fails, it
   *     leaves them out
   */
  public BuiltInRoutes(PrometheusMeterRegistry registry, Runnable beforeScrape) {
    this.registry = registry;
    this.beforeScrape = beforeScrape;
  }

  public void addTo(RouteTable table) {
    table.get("/", Kind.HOT, Access.PUBLIC, this::page);
    table.get("/openapi.yaml", Kind.HOT, Access.PUBLIC, this::openApi);
    table.get("/metrics", Kind.BLOCKING, Access.METRICS, this::metrics);
  }

  private void metrics(Exchange exchange) {
    exchange.send(METRICS_TYPE, scrape().getBytes(StandardCharsets.UTF_8));
  }

  /** One scrape at a time: what is brought up to date for one must not change under another. */
  String scrape() {
    scraping.lock();
    try {
      Failures.survive(beforeScrape, failures);
      return registry.scrape();
    } finally {
      scraping.unlock();
    }
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

  static byte[] resource(String name) {
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
