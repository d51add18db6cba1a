package dev.laurel.server.http;

import dev.laurel.core.store.ApiKey.Scope;
import org.jspecify.annotations.Nullable;

/** Who may call a route. Checked in one place, before the body is read. */
public enum Access {
  /** Anyone; credentials are not even looked at. */
  PUBLIC(null),
  READ(Scope.READ),
  INGEST(Scope.INGEST),
  MANAGE(Scope.MANAGE),
  ADMIN(Scope.ADMIN),

  /**
   * A caller without credentials gets in with no principal, and the handler decides by the board's
   * visibility; wrong credentials are refused as everywhere.
   */
  READ_OR_PUBLIC_BOARD(Scope.READ),

  /** The same for what stays open: it has limits of its own, and is not counted as a request. */
  STREAM(Scope.READ),

  /** The bearer of a user's token, about themselves; an API key is nobody in particular. */
  USER(null),

  /** The same, where points are given for something: with a limit of its own. */
  AWARD(null),

  METRICS(Scope.METRICS);

  private final @Nullable Scope scope;

  Access(@Nullable Scope scope) {
    this.scope = scope;
  }

  /** Null where none is asked for. */
  public @Nullable Scope scope() {
    return scope;
  }

  /** Whoever writes for others or manages: never a browser. */
  public boolean isForServices() {
    return this == INGEST || this == MANAGE || this == ADMIN || this == METRICS;
  }

  /** Whether a caller without credentials gets in, and the handler decides. */
  boolean isOpen() {
    return this == READ_OR_PUBLIC_BOARD || this == STREAM;
  }

  public boolean isForUsers() {
    return this == USER || this == AWARD;
  }
}
