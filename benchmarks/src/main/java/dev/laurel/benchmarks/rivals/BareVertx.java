package dev.laurel.benchmarks.rivals;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * The ceiling: a handler that looks at nothing and returns a constant, as long as Laurel's answer
 * to a rank read and with as many headers. What Laurel loses against it is what Laurel does; the
 * rest is HTTP, the kernel and the client.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.laurel.benchmarks.rivals.BareVertx PORT
 * BYTES}
 */
public final class BareVertx extends VerticleBase {
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("x-request-id");
  private static final CharSequence AN_ID = HttpHeaders.createOptimized("0123456789abcdef");
  private static final CharSequence TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");
  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

  private final int port;
  private final Buffer body;

  private BareVertx(int port, int bytes) {
    this.port = port;
    this.body = Buffer.buffer("x".repeat(bytes));
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int bytes = Integer.parseInt(args[1]);
    // As Laurel: with a loop on every core it and the client get into each other's way.
    ThinServer.run(Math.max(1, ThinServer.CORES - 1), () -> new BareVertx(port, bytes));
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer(ThinServer.options())
        .requestHandler(this::answer)
        .listen(port, "127.0.0.1");
  }

  private void answer(HttpServerRequest request) {
    var response = request.response();
    response
        .headers()
        .add(HttpHeaders.CONTENT_TYPE, JSON)
        .add(REQUEST_ID, AN_ID)
        .add(TYPE_OPTIONS, NOSNIFF)
        .add(HttpHeaders.CACHE_CONTROL, NO_STORE);
    response.end(body);
  }
}
