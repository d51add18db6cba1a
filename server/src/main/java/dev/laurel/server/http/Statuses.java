package dev.laurel.server.http;

import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.StoreBusyException;
import dev.laurel.core.store.StoreUnavailableException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The one place where refusals become statuses and exceptions become refusals. */
public final class Statuses {
  private Statuses() {}

  public static int of(ErrorCode.Kind kind) {
    return switch (kind) {
      case INVALID -> 400;
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN -> 403;
      case NOT_FOUND -> 404;
      case METHOD_NOT_ALLOWED -> 405;
      case TIMEOUT -> 408;
      case CONFLICT -> 409;
      case PRECONDITION_FAILED -> 412;
      case TOO_LARGE -> 413;
      case URI_TOO_LONG -> 414;
      case UNSUPPORTED_MEDIA_TYPE -> 415;
      case UNPROCESSABLE -> 422;
      case TOO_MANY -> 429;
      case HEADERS_TOO_LARGE -> 431;
      case INTERNAL -> 500;
      case UNAVAILABLE -> 503;
    };
  }

  /** Null if nobody foresaw it: that is a 500, and belongs in the log. */
  static @Nullable Rejection rejection(Throwable failure) {
    return switch (failure) {
      case RejectedException rejected -> rejected.rejection();
      case StoreBusyException busy ->
          Rejection.of(ErrorCode.OVERLOADED, busy.getMessage() + ": try again in a moment");
      case StoreUnavailableException unavailable ->
          Rejection.of(ErrorCode.STORE_UNAVAILABLE, "the store cannot be reached: try again later");
      case ArchiveException archive ->
          Rejection.of(archive.code(), String.valueOf(archive.getMessage()));
      case CompletionException wrapped when wrapped.getCause() != null ->
          rejection(wrapped.getCause());
      case ExecutionException wrapped when wrapped.getCause() != null ->
          rejection(wrapped.getCause());
      default -> null;
    };
  }

  static JsonOut envelope(Rejection rejection) {
    JsonOut out = new JsonOut(256);
    out.beginObject().name("error").beginObject();
    out.name("code").string(rejection.code().name());
    out.name("message").string(rejection.message());
    out.name("details").value(rejection.details());
    return out.endObject().endObject();
  }

  static Rejection internal(String requestId) {
    return Rejection.of(
        ErrorCode.INTERNAL_ERROR,
        "something went wrong here; it is logged under request id " + requestId,
        Map.of("requestId", requestId));
  }
}
