package dev.laurel.server.outbound;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls addresses that tenants gave. A name is looked up once: the address that was checked is the
 * one that is connected to, so a name that answers differently a moment later leads nowhere else.
 * One deadline is for everything from the look-up to the last byte. Follows no redirect and asks no
 * proxy: either could lead where the check did not look. Blocking. Thread-safe.
 */
public final class OutboundClient implements AutoCloseable {
  private static final int CONNECTIONS_TO_A_PEER = 256;

  private final boolean privateAllowed;
  private final Lookup lookup;
  private @Nullable Vertx vertx;
  private @Nullable HttpClient http;
  private boolean closed;

  /** Tells the addresses of a name. Blocking. */
  @FunctionalInterface
  public interface Lookup {
    List<InetAddress> addresses(String host) throws UnknownHostException;
  }

  /**
   * What to send.
   *
   * @param trusted whether the operator named the address; a tenant's may lead only where tenants
   *     may
   * @param mostBytes of the answer's body; 0 to leave it unread
   */
  public record Call(
      HttpMethod method,
      URI uri,
      boolean trusted,
      Map<String, String> headers,
      @Nullable String body,
      int mostBytes,
      Duration deadline) {}

  /** What came back. */
  public record Answer(int status, byte[] body) {}

  /**
   * @param privateAllowed whether tenants' addresses may be inside, too
   */
  public OutboundClient(boolean privateAllowed) {
    this(privateAllowed, host -> List.of(InetAddress.getAllByName(host)));
  }

  OutboundClient(boolean privateAllowed, Lookup lookup) {
    this.privateAllowed = privateAllowed;
    this.lookup = lookup;
  }

  /** Whether tenants' addresses may be inside, and plain HTTP. */
  public boolean isPrivateAllowed() {
    return privateAllowed;
  }

  /**
   * @throws HttpTimeoutException after the deadline
   */
  public Answer send(Call call) throws IOException, InterruptedException {
    long end = System.nanoTime() + call.deadline.toNanos();
    List<InetAddress> addresses = addresses(String.valueOf(call.uri.getHost()), end);
    if (!call.trusted && !privateAllowed) {
      // Every address of the name, for any may be tried.
      for (InetAddress address : addresses) {
        Addresses.requirePublic(address);
      }
    }
    ConnectException failed = new ConnectException("no address");
    for (InetAddress address : addresses) {
      try {
        return send(call, address, end);
      } catch (ConnectException e) {
        failed = e;
      }
    }
    throw failed;
  }

  /** On a thread of its own: a resolver that does not answer knows nothing of our deadline. */
  private List<InetAddress> addresses(String host, long end)
      throws IOException, InterruptedException {
    CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("outbound-lookup")
        .start(
            () -> {
              try {
                found.complete(lookup.addresses(host));
              } catch (UnknownHostException | RuntimeException e) {
                found.completeExceptionally(e);
              }
            });
    return await(found, end);
  }

  private Answer send(Call call, InetAddress address, long end)
      throws IOException, InterruptedException {
    boolean tls = "https".equals(call.uri.getScheme());
    int port = call.uri.getPort() >= 0 ? call.uri.getPort() : tls ? 443 : 80;
    String path = call.uri.getRawPath().isEmpty() ? "/" : call.uri.getRawPath();
    String query = call.uri.getRawQuery();
    RequestOptions options =
        new RequestOptions()
            .setMethod(call.method)
            .setServer(SocketAddress.inetSocketAddress(new InetSocketAddress(address, port)))
            .setHost(call.uri.getHost())
            .setPort(port)
            .setSsl(tls)
            .setURI(query == null ? path : path + "?" + query)
            .setFollowRedirects(false)
            .setConnectTimeout(Math.max(1, (end - System.nanoTime()) / 1_000_000));
    call.headers.forEach(options::putHeader);
    AtomicReference<@Nullable HttpClientRequest> begun = new AtomicReference<>();
    Future<Answer> answer =
        client()
            .request(options)
            .compose(
                request -> {
                  begun.set(request);
                  Future<HttpClientResponse> sent =
                      call.body == null ? request.send() : request.send(call.body);
                  return sent.compose(response -> read(request, response, call.mostBytes));
                });
    try {
      return await(answer.toCompletionStage().toCompletableFuture(), end);
    } finally {
      // An answer that was read to its end leaves a connection to use again; any other is cut.
      HttpClientRequest request = begun.get();
      if (request != null && (!answer.succeeded() || call.mostBytes == 0)) {
        request.reset();
      }
    }
  }

  private static Future<Answer> read(
      HttpClientRequest request, HttpClientResponse response, int mostBytes) {
    int status = response.statusCode();
    if (mostBytes == 0) {
      // The answer's body is nobody's business, however long it is.
      return Future.succeededFuture(new Answer(status, new byte[0]));
    }
    Promise<Answer> promise = Promise.promise();
    Buffer body = Buffer.buffer();
    response.handler(
        part -> {
          if (body.length() + part.length() > mostBytes) {
            promise.tryFail(
                new IOException("answer: too long (expected: at most " + mostBytes + " bytes)"));
            request.reset();
          } else {
            body.appendBuffer(part);
          }
        });
    response.exceptionHandler(promise::tryFail);
    response.endHandler(_ -> promise.tryComplete(new Answer(status, body.getBytes())));
    return promise.future();
  }

  private static <T> T await(CompletableFuture<T> future, long end)
      throws IOException, InterruptedException {
    try {
      return future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer in time");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  /** Made with the first call: most servers never make one. */
  private synchronized HttpClient client() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    if (http == null) {
      vertx =
          Vertx.vertx(
              new VertxOptions()
                  .setEventLoopPoolSize(1)
                  .setFileSystemOptions(
                      new FileSystemOptions()
                          .setFileCachingEnabled(false)
                          .setClassPathResolvingEnabled(false)));
      http =
          vertx.createHttpClient(
              new HttpClientOptions().setVerifyHost(true).setKeepAliveTimeout(10),
              new PoolOptions().setHttp1MaxSize(CONNECTIONS_TO_A_PEER));
    }
    return http;
  }

  @Override
  public void close() {
    Vertx made;
    synchronized (this) {
      closed = true;
      made = vertx;
    }
    if (made != null) {
      made.close().toCompletionStage().toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
    }
  }
}
