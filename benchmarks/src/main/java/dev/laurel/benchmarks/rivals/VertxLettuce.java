package dev.laurel.benchmarks.rivals;

import io.lettuce.core.ScoredValue;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The thin service of somebody who knows what they do: Vert.x and Lettuce in front of a Redis
 * sorted set. Epoll on both sides, one Redis connection an event loop and on that loop ({@link
 * LoopRedis}), commands pipelined over requests, the path cut by hand, JSON written by hand, keys
 * in a hash map. It keeps no time of a score, has no ties by time, and a write is in memory only.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.laurel.benchmarks.rivals.VertxLettuce
 * PORT REDIS_PORT API_KEY}
 */
public final class VertxLettuce extends VerticleBase {
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence API_KEY = HttpHeaders.createOptimized("x-api-key");
  private static final String BOARDS = "/api/v1/leaderboards/";
  private static final String USERS = "/users/";
  private static final String RANK = "/rank";
  private static final String TOP = "/top?limit=";

  private final int port;
  private final int redisPort;
  private final Map<String, String> keys;
  private @Nullable LoopRedis redis;

  private VertxLettuce(int port, int redisPort, String key) {
    this.port = port;
    this.redisPort = redisPort;
    this.keys = Map.of(key, "bench");
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int redisPort = Integer.parseInt(args[1]);
    // One fewer is slower here: the loops also wait for Redis.
    ThinServer.run(ThinServer.CORES, () -> new VertxLettuce(port, redisPort, args[2]));
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
                  .requestHandler(this::handle)
                  .listen(port, "127.0.0.1");
            });
  }

  private void handle(HttpServerRequest request) {
    String key = request.headers().get(API_KEY);
    if (key == null || !keys.containsKey(key)) {
      fail(request, 401, "X-API-Key: not a key in force");
      return;
    }
    String uri = request.uri();
    int slash = uri.indexOf('/', BOARDS.length());
    if (!uri.startsWith(BOARDS) || slash < 0) {
      fail(request, 404, "there is nothing at this path");
      return;
    }
    String board = uri.substring(BOARDS.length(), slash);
    boolean read = request.method() == HttpMethod.GET;
    if (uri.startsWith(USERS, slash)) {
      int from = slash + USERS.length();
      int to = uri.indexOf('/', from);
      if (read && to > 0 && uri.length() == to + RANK.length() && uri.endsWith(RANK)) {
        rank(request, board, uri.substring(from, to));
        return;
      }
      if (request.method() == HttpMethod.PUT && to < 0) {
        put(request, board, uri.substring(from));
        return;
      }
    } else if (read && uri.startsWith(TOP, slash)) {
      top(request, board, Integer.parseInt(uri.substring(slash + TOP.length())));
      return;
    }
    fail(request, 404, "there is nothing at this path");
  }

  private LoopRedis redis() {
    LoopRedis connected = redis;
    if (connected == null) {
      throw new IllegalStateException("not started");
    }
    return connected;
  }

  private void rank(HttpServerRequest request, String board, String user) {
    var commands = redis().commands();
    var place = commands.zrevrank(board, user);
    // Replies come in order on this loop: when the score is here, the rank is.
    var score = commands.zscore(board, user);
    redis().flushSoon();
    score.whenComplete(
        (found, failure) -> {
          if (failure != null) {
            fail(request, 503, failure.toString());
            return;
          }
          Long before = place.toCompletableFuture().getNow(null);
          if (found == null || before == null) {
            fail(request, 404, "userId: not on the board");
          } else {
            answer(request, row(board, user, before + 1, found));
          }
        });
  }

  private void put(HttpServerRequest request, String board, String user) {
    request
        .body()
        .onSuccess(
            body -> {
              double score = score(body);
              var commands = redis().commands();
              var added = commands.zadd(board, score, user);
              // As in Laurel's answer: the rank after the write.
              var place = commands.zrevrank(board, user);
              redis().flushSoon();
              place.whenComplete(
                  (before, failure) -> {
                    if (failure != null || before == null || added.getError() != null) {
                      fail(request, 503, String.valueOf(failure));
                    } else {
                      answer(request, row(board, user, before + 1, score));
                    }
                  });
            });
  }

  private void top(HttpServerRequest request, String board, int limit) {
    var page = redis().commands().zrevrangeWithScores(board, 0, limit - 1);
    redis().flushSoon();
    page.whenComplete(
        (found, failure) -> {
          if (failure != null) {
            fail(request, 503, failure.toString());
          } else {
            answer(request, page(found));
          }
        });
  }

  private static StringBuilder page(List<ScoredValue<String>> found) {
    StringBuilder json = new StringBuilder(32 + 64 * found.size()).append("{\"entries\":[");
    long rank = 1;
    for (ScoredValue<String> value : found) {
      json.append(rank == 1 ? "{\"userId\":\"" : ",{\"userId\":\"").append(value.getValue());
      json.append("\",\"rank\":").append(rank++).append(",\"score\":");
      number(json, value.getScore());
      json.append('}');
    }
    return json.append("]}");
  }

  /** Ids and boards are checked where they come in: nothing in them needs an escape. */
  private static StringBuilder row(String board, String user, long rank, double score) {
    StringBuilder json = new StringBuilder(96);
    json.append("{\"UUID\":\"").append(board).append("\",\"userId\":\"").append(user);
    json.append("\",\"rank\":").append(rank).append(",\"score\":");
    number(json, score);
    return json.append('}');
  }

  private static void number(StringBuilder json, double score) {
    long whole = (long) score;
    if (whole == score) {
      json.append(whole);
    } else {
      json.append(score);
    }
  }

  /** {@code {"score":123}}, cut by hand as the answers are written by hand. */
  private static double score(Buffer body) {
    String text = body.toString();
    int colon = text.indexOf(':');
    int end = text.indexOf('}', colon);
    return Double.parseDouble(text.substring(colon + 1, end).strip());
  }

  private static void answer(HttpServerRequest request, StringBuilder json) {
    var response = request.response();
    response.headers().add(HttpHeaders.CONTENT_TYPE, JSON);
    response.end(Buffer.buffer(json.toString()));
  }

  private static void fail(HttpServerRequest request, int status, String why) {
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
        .end("{\"error\":\"" + why + "\"}");
  }
}
