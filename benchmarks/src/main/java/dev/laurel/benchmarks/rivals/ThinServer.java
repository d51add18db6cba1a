package dev.laurel.benchmarks.rivals;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.transport.Transport;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the Vert.x rivals share with each other and with Laurel: loops, transport, options. */
final class ThinServer {
  private ThinServer() {}

  /** Deploys one verticle a core, says so on standard output, and returns. */
  static void run(Supplier<VerticleBase> verticle) throws Exception {
    int loops = Runtime.getRuntime().availableProcessors();
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
