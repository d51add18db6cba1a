package dev.laurel.benchmarks.rivals;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.SetArgs;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The usual design, as far as a caller waits for it, step by step, in Redis. Nothing is on a disk,
 * a crash between two commands leaves half an award behind, and a retry gets no answer of its own
 * but what is there by then.
 */
public final class RedisAwards implements AutoCloseable {
  private static final int POINTS = 25;
  private static final String BOARD = "leaderboard:global";
  private static final SetArgs A_DAY = SetArgs.Builder.nx().ex(86_400);
  private static final SetArgs A_WEEK = SetArgs.Builder.nx().ex(604_800);

  private final Vertx vertx;
  private final int port;

  private RedisAwards(Vertx vertx, int port) {
    this.vertx = vertx;
    this.port = port;
  }

  public static RedisAwards start(int redisPort, RSAPublicKey key) throws Exception {
    Transport epoll = Transport.nativeTransport();
    var builder = Vertx.builder().with(new VertxOptions().setEventLoopPoolSize(ThinServer.CORES));
    if (epoll != null && epoll.available()) {
      builder.withTransport(epoll);
    }
    Vertx vertx = builder.build();
    int port = freePort();
    Map<String, String> known = new ConcurrentHashMap<>();
    vertx
        .deployVerticle(
            () -> new Service(port, redisPort, key, known),
            new DeploymentOptions().setInstances(ThinServer.CORES))
        .await(60, TimeUnit.SECONDS);
    return new RedisAwards(vertx, port);
  }

  private static int freePort() throws java.io.IOException {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  /** One for each event loop. */
  private static final class Service extends VerticleBase {
    private final int port;
    private final int redisPort;
    private final RSAPublicKey key;

    /** Users by their token, as a signature costs more than all else. */
    private final Map<String, String> known;

    private @Nullable LoopRedis redis;

    Service(int port, int redisPort, RSAPublicKey key, Map<String, String> known) {
      this.port = port;
      this.redisPort = redisPort;
      this.key = key;
      this.known = known;
    }

    @Override
    public Future<?> start() {
      var loop = ((ContextInternal) context).nettyEventLoop();
      return Future.fromCompletionStage(LoopRedis.connect(loop, redisPort), context)
          .compose(
              connected -> {
                redis = connected;
                return vertx
                    .createHttpServer(ThinServer.options())
                    .requestHandler(
                        request -> request.body().onSuccess(b -> award(request, b.toJsonObject())))
                    .listen(port, "127.0.0.1");
              });
    }

    private void award(HttpServerRequest request, JsonObject body) {
      String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
      String user =
          authorization == null
              ? ""
              : known.computeIfAbsent(authorization.substring(7), this::verify);
      if (user.isEmpty()) {
        request.response().setStatusCode(401).end();
        return;
      }
      var connection = Objects.requireNonNull(redis);
      var commands = connection.commands();
      String payload = body.getString("action_type") + "/" + body.getString("action_id");
      String idempotency = "idemp:" + body.getString("idempotency_key");
      RedisFuture<String> first = commands.set(idempotency, payload, A_DAY);
      RedisFuture<String> action =
          commands.set("action:" + user + ":" + body.getString("action_id"), idempotency, A_WEEK);
      connection.flushSoon();
      action.whenComplete(
          (fresh, failure) -> {
            boolean retry = first.toCompletableFuture().getNow(null) == null;
            if (failure != null || (fresh == null && !retry)) {
              request.response().setStatusCode(failure == null ? 409 : 503).end();
              return;
            }
            var total = commands.zincrby(BOARD, retry ? 0 : POINTS, user);
            var rank = commands.zrevrank(BOARD, user);
            var top = commands.zrevrangeWithScores(BOARD, 0, 9);
            connection.flushSoon();
            top.whenComplete(
                (rows, failed) -> {
                  if (failed != null) {
                    request.response().setStatusCode(503).end();
                  } else {
                    answer(request, user, total, rank, rows);
                  }
                });
          });
    }

    private static void answer(
        HttpServerRequest request,
        String user,
        RedisFuture<Double> total,
        RedisFuture<Long> rank,
        List<ScoredValue<String>> rows) {
      StringBuilder json = new StringBuilder(1024);
      json.append("{\"user_id\":\"").append(user).append("\",\"total\":");
      json.append(total.toCompletableFuture().getNow(0.0).longValue());
      json.append(",\"delta\":").append(POINTS).append(",\"rank\":");
      json.append(rank.toCompletableFuture().getNow(0L) + 1).append(",\"leaderboard_top\":[");
      for (ScoredValue<String> row : rows) {
        json.append(json.charAt(json.length() - 1) == '[' ? "" : ",");
        json.append("{\"user_id\":\"").append(row.getValue()).append("\",\"total\":");
        json.append((long) row.getScore()).append('}');
      }
      request.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
      request.response().end(json.append("]}").toString());
    }

    /** Empty if it is not good. */
    private String verify(String token) {
      int dot = token.lastIndexOf('.');
      Base64.Decoder base64 = Base64.getUrlDecoder();
      try {
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(key);
        signature.update(token.substring(0, dot).getBytes(StandardCharsets.US_ASCII));
        byte[] claims = base64.decode(token.substring(token.indexOf('.') + 1, dot));
        return signature.verify(base64.decode(token.substring(dot + 1)))
            ? new JsonObject(new String(claims, StandardCharsets.UTF_8)).getString("sub")
            : "";
      } catch (GeneralSecurityException e) {
        return "";
      }
    }
  }
}
