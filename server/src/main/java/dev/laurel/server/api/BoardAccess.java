package dev.laurel.server.api;

import dev.laurel.core.access.Keys;
import dev.laurel.core.access.Principal;
import dev.laurel.core.award.Awards;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Tenant;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.live.Tickets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the board that a request may see. Nothing here tells a caller whether a board of another
 * tenant, or a private one, exists.
 */
final class BoardAccess {
  private final Boards boards;
  private final Keys keys;
  private final Profiles profiles;
  private final Awards awards;

  BoardAccess(Boards boards, Keys keys, Profiles profiles, Awards awards) {
    this.boards = boards;
    this.keys = keys;
    this.profiles = profiles;
    this.awards = awards;
  }

  Profiles profiles() {
    return profiles;
  }

  /** How the caller sees the users of a board. */
  NameView names(Exchange exchange, Board board) {
    return NameView.of(exchange.principal(), board, profiles);
  }

  /** A board of the caller's tenant, or a public one; 404 (for strangers 401) otherwise. */
  Board readable(Exchange exchange, String uuid) {
    return readable(exchange, exchange.query("tenant"), uuid);
  }

  /**
   * @param tenant whose board it is; null for the caller's own
   */
  Board readable(Exchange exchange, @Nullable String tenant, String uuid) {
    Board board = findReadable(exchange, tenant, in -> boards.find(in, uuid));
    if (board == null) {
      throw Boards.notFound(uuid);
    }
    return board;
  }

  /**
   * The same for the bearer of a ticket for one board.
   *
   * @param claims null if the ticket is none
   */
  Board ticketed(Tickets.@Nullable Claims claims, String uuid, long now) {
    Board board = claims == null || !isInForce(claims, now) ? null : boards.find(claims.board());
    if (board == null || !board.uuid().equals(uuid)) {
      throw Rejection.of(
              ErrorCode.UNAUTHENTICATED,
              "ticket: not in force (expected: one for this board, of the last minute)")
          .asException();
    }
    return board;
  }

  /** Whether whoever got the ticket would get another one. */
  boolean isInForce(Tickets.Claims claims, long now) {
    return now < claims.until()
        && (claims.caller() <= 0 || keys.isInForce(claims.caller()))
        && boards.find(claims.board()) != null;
  }

  /** Whether a caller may see a board; see {@link #readable}. */
  boolean isReadable(@Nullable Principal caller, @Nullable String tenant, String uuid) {
    return find(caller, tenant, in -> boards.find(in, uuid)) != null;
  }

  /** The board whose season this is, by the season's id. */
  Board readableSeason(Exchange exchange, String id, Seasons.@Nullable Parsed parsed) {
    Board board =
        findReadable(
            exchange,
            exchange.query("tenant"),
            t -> parsed == null ? null : boards.findInternal(t, parsed.leaderboardId()));
    if (board == null) {
      throw seasonNotFound(id);
    }
    return board;
  }

  /** The same for a surface where a board that does not exist is an empty one. */
  @Nullable Board findReadable(Exchange exchange, String uuid) {
    return findReadable(exchange, exchange.query("tenant"), in -> boards.find(in, uuid));
  }

  /** Looks a board up in a tenant, by its number. */
  private interface Lookup {
    @Nullable Board in(long tenant);
  }

  private @Nullable Board findReadable(Exchange exchange, @Nullable String asked, Lookup lookup) {
    Principal principal = exchange.principal();
    Board board = find(principal, asked, lookup);
    if (board == null && (principal == null || !principal.may(ApiKey.Scope.READ))) {
      // Nobody: 401. A key that may not read: 403.
      throw exchange.caller().lacks(ApiKey.Scope.READ);
    }
    return board;
  }

  private @Nullable Board find(
      @Nullable Principal principal, @Nullable String asked, Lookup lookup) {
    if (principal != null && principal.may(ApiKey.Scope.READ)) {
      return asked == null || asked.equals(principal.tenantId())
          ? lookup.in(principal.tenant())
          : publicBoard(asked, lookup);
    }
    if (principal != null && (asked == null || asked.equals(principal.tenantId()))) {
      Board board = lookup.in(principal.tenant());
      return board != null && (isPublic(board) || isAwarded(principal, board)) ? board : null;
    }
    return asked == null ? onlyPublic(Tenant.DEFAULT, lookup) : publicBoard(asked, lookup);
  }

  /** A user reads the boards where the rules give the tenant's users points, also private ones. */
  private boolean isAwarded(Principal principal, Board board) {
    return principal.userId() != null && awards.isAwardedOn(board.tenant(), board.uuid());
  }

  private static boolean isPublic(Board board) {
    return board.visibility() == Visibility.PUBLIC;
  }

  private @Nullable Board publicBoard(String tenantId, Lookup lookup) {
    Tenant tenant = keys.tenant(tenantId);
    return tenant == null ? null : onlyPublic(tenant.id(), lookup);
  }

  private @Nullable Board onlyPublic(long tenant, Lookup lookup) {
    Board board = lookup.in(tenant);
    return board != null && isPublic(board) ? board : null;
  }

  /** Whose boards a request may list, and whether the private ones are among them. */
  record Listed(long tenant, boolean onlyPublic) {}

  /** The caller's tenant with all its boards, or the public ones of another. */
  Listed readableBoards(Exchange exchange) {
    Principal principal = exchange.principal();
    String asked = exchange.query("tenant");
    long own = principal == null ? Tenant.DEFAULT : principal.tenant();
    if (asked == null || (principal != null && asked.equals(principal.tenantId()))) {
      return new Listed(own, principal == null || !principal.may(ApiKey.Scope.READ));
    }
    Tenant tenant = keys.tenant(asked);
    // A tenant that is not there has no boards, as one that shows none.
    return new Listed(tenant == null ? -1 : tenant.id(), true);
  }

  /** A board that the caller may change. */
  Board owned(Exchange exchange, String uuid) {
    return boards.require(exchange.caller().tenant(), uuid);
  }

  /** The board that the caller may change and whose season this is. */
  Board ownedSeason(Exchange exchange, String id, Seasons.@Nullable Parsed parsed) {
    Board board =
        parsed == null
            ? null
            : boards.findInternal(exchange.caller().tenant(), parsed.leaderboardId());
    if (board == null) {
      throw seasonNotFound(id);
    }
    return board;
  }

  private static RejectedException seasonNotFound(String id) {
    return Rejection.expectation(
            ErrorCode.SEASON_NOT_FOUND, "instanceId", id, "a season of this tenant")
        .asException();
  }

  static Rejection userNotFound(String field, String userId, String board) {
    return Rejection.expectation(ErrorCode.USER_NOT_FOUND, field, userId, "a user of " + board);
  }
}
