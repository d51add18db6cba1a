package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Asker;
import dev.laurel.core.store.RememberedStore;
import io.netty.channel.Channel;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as a handler sees them.
 *
 * <p>It is answered once, by whichever method of the second half is called first, from any thread:
 * the bytes are written on the connection's event loop. Apart from that handover it belongs to one
 * thread at a time.
 */
public final class Exchange {
  private static final byte[] EMPTY = {};

  /** In the metrics only: what nginx logs for a caller that did not wait. */
  public static final int CALLER_GONE = 499;

  final RequestHead head;
  private final Outlet outlet;
  private final String requestId;
  final long startNanos;

  Route route = HttpMetrics.UNMATCHED;
  String[] params = {};
  QueryString query = QueryString.EMPTY;
  byte[] body = EMPTY;

  /** What its body has of the memory for bodies. */
  BodyBudget.@Nullable Hold hold;

  @Nullable Principal principal;

  /** In which who calls was told by their credentials. */
  RememberedStore.@Nullable Era era;

  /** Whether who calls is to be found out on a thread that may wait. */
  boolean undecided;

  /** The same request as the fast lane saw it, before it left it to Vert.x; null if it did not. */
  @Nullable Exchange before;

  /** Whether the limits have counted it. */
  boolean counted;

  /** Whether the credentials were wrong. */
  boolean refusedCredentials;

  /** What the limits said against it. */
  @Nullable RejectedException overLimit;

  /** Whether every byte of the request is here; an answer before that may end the connection. */
  boolean bodyRead = true;

  /** Whether the rest of the body is not worth waiting for. */
  boolean stalled;

  int status = 200;

  /** Why it was refused, if it was. */
  @Nullable Rejection rejection;

  /** What nobody foresaw. */
  @Nullable Throwable failure;

  CharSequence cacheControl = AnswerWriter.NO_STORE;
  @Nullable List<CharSequence> headers;
  boolean answered;
  volatile boolean handedOver;
  private @Nullable Runnable onDisconnect;

  /** The caller has gone before the answer was complete. */
  private volatile boolean gone;

  /** Whom a handler on a thread of its own works for; null as long as there is none. */
  private volatile @Nullable Asker asker;

  Exchange(RequestHead head, Outlet outlet, String requestId, long startNanos) {
    this.head = head;
    this.outlet = outlet;
    this.requestId = requestId;
    this.startNanos = startNanos;
  }

  RememberedStore.Era era() {
    return Objects.requireNonNull(era, "it was not admitted");
  }

  // ---- the request

  public HttpMethod method() {
    return head.method();
  }

  public Route route() {
    return route;
  }

  public String requestId() {
    return requestId;
  }

  /** A parameter of the path, decoded; its name is as the route's template writes it. */
  public String pathParam(String name) {
    return params[route.indexOfParam(name)];
  }

  /** A query parameter, decoded; null if it is not there. */
  public @Nullable String query(String name) {
    return query.get(name);
  }

  public int intQuery(String name, int absent, int min, int max) {
    return (int) longQuery(name, absent, min, max);
  }

  public long longQuery(String name, long absent, long min, long max) {
    String text = query.get(name);
    return text == null ? absent : number(name, text, min, max);
  }

  /** A whole number in a path or a query. */
  public static long number(String name, String text, long min, long max) {
    try {
      long value = Long.parseLong(text);
      // parseLong takes +5 and the digits of all scripts, which no document allows.
      if (value >= min && value <= max && text.chars().allMatch(c -> c >= '-' && c <= '9')) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of range.
    }
    throw Rejection.invalid(name, text, min + ".." + max).asException();
  }

  public boolean boolQuery(String name, boolean absent) {
    String text = query.get(name);
    return switch (text) {
      case null -> absent;
      case "true" -> true;
      case "false" -> false;
      default -> throw Rejection.invalid(name, text, "true or false").asException();
    };
  }

  public @Nullable String header(CharSequence name) {
    return head.header(name);
  }

  /** Every value of a header that may be there more than once. */
  public List<String> headers(CharSequence name) {
    return head.headers(name);
  }

  /** Empty if the route has no body. */
  public byte[] body() {
    return body;
  }

  /**
   * Nobody will look at the body again. For handlers whose answer comes much later: until then
   * others could use its memory.
   */
  public void dropBody() {
    BodyBudget.Hold held = hold;
    if (held != null) {
      body = EMPTY;
      held.release();
    }
  }

  /** The body as an object; see {@link Fields}. */
  public Fields fields() {
    return Json.object(body);
  }

  /** Whether somebody came with credentials that are not good, and perhaps guesses. */
  public boolean hasWrongCredentials() {
    return refusedCredentials;
  }

  public @Nullable Principal principal() {
    return principal;
  }

  /** The caller of a route whose access demands one. */
  public Principal caller() {
    Principal known = principal;
    if (known == null) {
      throw Rejection.of(
              ErrorCode.UNAUTHENTICATED,
              "credentials: missing (expected: an API key in X-API-Key, or a token in"
                  + " Authorization: Bearer)")
          .asException();
    }
    return known;
  }

  /** The user whose token it is, on a route whose access demands one. */
  public String user() {
    String userId = caller().userId();
    if (userId == null) {
      throw Rejection.expectation(
              ErrorCode.FORBIDDEN, "caller", "an API key", "the token of a user")
          .asException();
    }
    return userId;
  }

  /** Where the connection comes from, as an address. */
  public String peer() {
    return head.peer();
  }

  /** How long the request has been here. */
  public long ageNanos() {
    return System.nanoTime() - startNanos;
  }

  /** For what HTTP/1.1 answers cannot say: streams of events, WebSockets. */
  public HttpServerRequest raw() {
    return head.raw();
  }

  /** The connection itself, for the same. */
  public Channel channel() {
    if (raw().connection() instanceof ConnectionBase base) {
      return base.channel();
    }
    throw new IllegalStateException("a connection without a channel");
  }

  // ---- the answer

  public Exchange status(int code) {
    status = code;
    return this;
  }

  public Exchange header(CharSequence name, CharSequence value) {
    List<CharSequence> all = headers;
    if (all == null) {
      all = new ArrayList<>(4);
      headers = all;
    }
    all.add(name);
    all.add(value);
    return this;
  }

  /** Whether the answer has such a header already. */
  boolean says(CharSequence name) {
    List<CharSequence> all = headers;
    for (int i = 0; all != null && i < all.size(); i += 2) {
      if (AsciiString.contentEqualsIgnoreCase(all.get(i), name)) {
        return true;
      }
    }
    return false;
  }

  /** Instead of {@code no-store}, which is right for everything that changes. */
  public Exchange cacheControl(String value) {
    cacheControl = value;
    return this;
  }

  /** Answers with what was written; {@code out} must not be used any more. */
  public void json(JsonOut out) {
    answer(AnswerWriter.JSON, out.array(), out.length());
  }

  /** Answers with JSON that is ready; {@code bytes} must not change any more. */
  public void json(byte[] bytes) {
    answer(AnswerWriter.JSON, bytes, bytes.length);
  }

  /**
   * Hands a hot request that cannot be answered from memory to a thread that may wait; the caller
   * must not touch the exchange any more.
   */
  public void block(Handler handler) {
    outlet.block(handler, this);
  }

  /**
   * Goes on with a hot request whose answer comes later, without a thread that waits for it: the
   * handler starts what it takes, must not block, and must see to it that an answer comes. Only
   * here may a GET start something; it may begin anew when the answer is not a plain one.
   */
  public void later(Handler handler) {
    outlet.later(handler, this);
  }

  /** Answers with text of another kind; {@code bytes} must not change any more. */
  public void send(CharSequence contentType, byte[] bytes) {
    answer(contentType, bytes, bytes.length);
  }

  /** Answers with as much as the handler writes, as fast as the caller takes it. Status 200. */
  public BodyStream stream(CharSequence contentType) {
    return outlet.stream(this, contentType);
  }

  /**
   * Answers 200 with a body that goes on and on; only the head is written, the rest is up to the
   * caller, who writes to {@link #channel}. On the event loop.
   */
  public void openStream(CharSequence contentType) {
    handedOver = true;
    outlet.open(this, contentType);
  }

  /** Answers 204. */
  public void noContent() {
    status = 204;
    answer(null, EMPTY, 0);
  }

  public void reject(Rejection rejection) {
    this.rejection = rejection;
    int code = Statuses.of(rejection.code().kind());
    status = code;
    cacheControl = AnswerWriter.NO_STORE;
    if ((code == 503 || code == 429) && !says(AnswerWriter.RETRY_AFTER)) {
      header(AnswerWriter.RETRY_AFTER, "1");
    } else if (code == 401) {
      header(
          AnswerWriter.WWW_AUTHENTICATE,
          route.access().isForUsers() || header(HttpHeaders.AUTHORIZATION) != null
              ? "Bearer realm=\"laurel\""
              : "ApiKey realm=\"laurel\"");
    }
    json(Statuses.envelope(rejection));
  }

  /** Answers with what an exception means; an unexpected one is logged with its stack trace. */
  public void fail(Throwable thrown) {
    if (thrown instanceof RejectedException rejected) {
      reject(rejected.rejection());
      return;
    }
    Rejection known = Statuses.rejection(thrown);
    if (known == null) {
      failure = thrown;
      known = Statuses.internal(requestId);
    } else if (known.code() == ErrorCode.ARCHIVE_DAMAGED) {
      failure = thrown; // where the file is does not concern the caller
    }
    reject(known);
  }

  /**
   * The handler changes nothing from here on: if the caller goes away, what it reads ends. That is
   * so from the beginning for GET and HEAD.
   */
  public void onlyReads() {
    Asker known = asker;
    if (known != null) {
      known.onlyReads();
    }
  }

  /** A handler begins to work for the caller on a thread of its own. */
  Asker asker() {
    Asker made = new Asker(method().equals(HttpMethod.GET) || method().equals(HttpMethod.HEAD));
    asker = made;
    if (gone) {
      made.leave();
    }
    return made;
  }

  /** Runs on the event loop if the caller goes away before the answer is complete. */
  public void onDisconnect(Runnable action) {
    onDisconnect = action;
  }

  /** For streams: the handler has written to {@link #raw} itself, and the exchange is over. */
  public void streamEnded(int code) {
    status = code;
    handedOver = true;
    outlet.streamEnded(this);
  }

  void mustBeAnswered() {
    if (!handedOver) {
      throw new IllegalStateException(route + " returned without an answer");
    }
  }

  void disconnected(boolean beforeTheHandler) {
    gone = true;
    Asker known = asker;
    if (known != null) {
      known.leave();
    }
    if (beforeTheHandler) {
      streamEnded(CALLER_GONE);
    }
    Runnable action = onDisconnect;
    if (action != null) {
      action.run();
    }
  }

  private void answer(@Nullable CharSequence contentType, byte[] bytes, int length) {
    handedOver = true;
    outlet.write(this, contentType, bytes, length);
  }
}
