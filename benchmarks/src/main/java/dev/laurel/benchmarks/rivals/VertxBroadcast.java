package dev.laurel.benchmarks.rivals;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What one would write to broadcast a board: a sorted set and a channel in Redis, Vert.x in front,
 * every score published, every message written to every client. Nothing is durable, and there is no
 * resume.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.laurel.benchmarks.rivals.VertxBroadcast
 * PORT REDIS_URL}
 */
public final class VertxBroadcast extends VerticleBase {
  private static final String BOARD = "bench";
  private static final String CHANNEL = "stream:leaderboard";

  private final int port;
  private final RedisClient redis;
  private final RedisAsyncCommands<String, String> commands;
  private final Set<HttpServerResponse> watchers = new LinkedHashSet<>();

  private VertxBroadcast(int port, String url) {
    this.port = port;
    this.redis = RedisClient.create(url);
    this.commands = redis.connect().async();
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    ThinServer.run(Math.max(1, ThinServer.CORES - 1), () -> new VertxBroadcast(port, args[1]));
  }

  @Override
  public Future<?> start() {
    Context here = context;
    var subscription = redis.connectPubSub();
    subscription.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            here.runOnContext(_ -> broadcast(message));
          }
        });
    subscription.sync().subscribe(CHANNEL);
    return vertx
        .createHttpServer(ThinServer.options())
        .requestHandler(this::handle)
        .listen(port, "127.0.0.1");
  }

  private void broadcast(String message) {
    Buffer event = Buffer.buffer("event: leaderboard.update\ndata: " + message + "\n\n");
    for (HttpServerResponse watcher : watchers) {
      watcher.write(event);
    }
  }

  private void handle(HttpServerRequest request) {
    if (request.path().endsWith("/stream")) {
      HttpServerResponse response = request.response();
      response.setChunked(true).putHeader("content-type", "text/event-stream");
      response.closeHandler(_ -> watchers.remove(response));
      commands
          .zrevrangeWithScores(BOARD, 0, 9)
          .thenAccept(
              top -> {
                StringBuilder rows = new StringBuilder("event: leaderboard.snapshot\ndata: [");
                top.forEach(
                    row ->
                        rows.append(rows.charAt(rows.length() - 1) == '[' ? "" : ",")
                            .append("{\"userId\":\"")
                            .append(row.getValue())
                            .append("\",\"score\":")
                            .append((long) row.getScore())
                            .append('}'));
                context.runOnContext(
                    _ -> {
                      watchers.add(response);
                      response.write(rows.append("]\n\n").toString());
                    });
              });
    } else if (request.method() == HttpMethod.PUT) {
      String path = request.path();
      String user = path.substring(path.lastIndexOf('/') + 1);
      request.body().onSuccess(body -> put(request, user, body));
    } else {
      commands.zrevrangeWithScores(BOARD, 0, 9).thenAccept(top -> answer(request, top.toString()));
    }
  }

  private void put(HttpServerRequest request, String user, Buffer body) {
    String score = body.toString(StandardCharsets.US_ASCII).replaceAll("[^0-9]", "");
    commands.zadd(BOARD, Double.parseDouble(score), user);
    commands
        .zrevrank(BOARD, user)
        .thenAccept(
            before -> {
              commands.publish(
                  CHANNEL,
                  "{\"userId\":\"%s\",\"score\":%s,\"rank\":%d}"
                      .formatted(user, score, before + 1));
              answer(request, "{}");
            });
  }

  private void answer(HttpServerRequest request, String text) {
    context.runOnContext(_ -> request.response().end(text));
  }
}
