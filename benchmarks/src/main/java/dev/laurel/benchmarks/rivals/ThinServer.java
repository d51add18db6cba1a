package dev.laurel.benchmarks.rivals;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.transport.Transport;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the Vert.x rivals share with each other and with Laurel: transport and options. */
final class ThinServer {
  private ThinServer() {}

  static final int CORES = Runtime.getRuntime().availableProcessors();

  /**
   * Deploys one verticle a loop, says so on standard output, and returns.
   *
   * @param loops what is best for the service where the client has to live on the same cores
   */
  static void run(int loops, Supplier<VerticleBase> verticle) throws Exception {
    Transport epoll = Transport.nativeTransport();
    var builder = Vertx.builder().with(new VertxOptions().setEventLoopPoolSize(loops));
    if (epoll != null && epoll.available()) {
      builder.withTransport(epoll);
    }
    Vertx vertx = builder.build();
    vertx
        .deployVerticle(verticle::get, new DeploymentOptions().setInstances(loops))
        .await(60, TimeUnit.SECONDS);
    System.out.println("ready, native transport: " + vertx.isNativeTransportEnabled());
  }

  static HttpServerOptions options() {
    return new HttpServerOptions()
        .setTcpNoDelay(true)
        .setAcceptBacklog(1024)
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setHttp2ClearTextEnabled(false);
  }
}
