package dev.laurel.server.limits;

import dev.laurel.core.access.Buckets;
import dev.laurel.core.access.Principal;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Limits;
import dev.laurel.server.http.UndecidedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits for users and for those who do not say who they are. API keys and tokens with scopes on
 * the native surface are services and are not counted. Thread-safe.
 *
 * <p>An address is not a person: a carrier puts thousands of players behind one. So what anybody
 * may do from there, to read and to be a user with a limit of one's own, has a limit of its own,
 * far above that of one caller. What strangers send, and wrong credentials, are few an address. A
 * user is known by the token only: who could be named by a stranger could be shut out by one.
 */
public final class RateLimits implements Limits {
  private final Rates rates;
  private final Buckets buckets;
  private final TrustedProxies proxies;
  private final RefusedCredentials refusals;
  private final Counter drops;

  /**
   * A minute's worth; 0 for no limit.
   *
   * @param address what strangers send from an address, and wrong credentials
   * @param reads what strangers read from an address, and its users do
   * @param game what strangers send to a game or board
   * @param user requests of a user
   * @param awards of a user
   */
  public record Rates(int address, int reads, int game, int user, int awards) {
    boolean isOff() {
      return address == 0 && reads == 0 && game == 0 && user == 0 && awards == 0;
    }
  }

  public RateLimits(
      Rates rates,
      Buckets buckets,
      TrustedProxies proxies,
      RefusedCredentials refusals,
      MeterRegistry registry) {
    this.refusals = refusals;
    this.rates = rates;
    this.buckets = buckets;
    this.proxies = proxies;
    this.drops =
        Counter.builder("rate_limit_drops")
            .description("Requests refused because there were too many")
            .register(registry);
  }

  @Override
  public void count(Exchange exchange, boolean mayWait) {
    if (exchange.hasWrongCredentials() && !mayWait) {
      refusals.log(exchange, client(exchange));
    }
    Principal caller = exchange.principal();
    Access access = exchange.route().access();
    boolean isStream = access == Access.STREAM && !exchange.hasWrongCredentials();
    if (rates.isOff() || isStream || (caller != null && isService(caller, access))) {
      return;
    }
    if (buckets.mayWait() && !mayWait) {
      throw new UndecidedException();
    }
    if (caller != null && caller.userId() != null) {
      take(exchange, "read", client(exchange), rates.reads);
      take(exchange, "user", caller.callerId(), rates.user);
      if (access == Access.AWARD) {
        take(exchange, "award", caller.callerId(), rates.awards);
      }
    } else if (exchange.hasWrongCredentials() || access.isForServices()) {
      take(exchange, "address", client(exchange), rates.address);
      String game = caller == null || access != Access.INGEST ? null : game(exchange);
      if (caller != null && game != null) {
        take(exchange, "game", caller.tenantId() + "/" + game, rates.game);
      }
    } else {
      take(exchange, "read", client(exchange), rates.reads);
    }
  }

  /** The board that something is sent to, as its path names it; null if it names none. */
  private static @Nullable String game(Exchange exchange) {
    String template = exchange.route().template();
    return template.contains("{game_id}")
        ? BoardDefinition.gameUuid(exchange.pathParam("game_id"))
        : template.contains("{UUID}") ? exchange.pathParam("UUID") : null;
  }

  private String client(Exchange exchange) {
    return proxies.client(exchange.peer(), exchange.headers(TrustedProxies.FORWARDED_FOR));
  }

  private static boolean isService(Principal caller, Access access) {
    return caller.userId() == null
        ? !caller.isAnonymous()
        : !caller.scopes().isEmpty() && !access.isForUsers();
  }

  private void take(Exchange exchange, String kind, String who, int perMinute) {
    if (perMinute == 0) {
      return;
    }
    Buckets.Taken taken = buckets.take(kind + " " + who, perMinute);
    if (taken.ok()) {
      return;
    }
    drops.increment();
    String wait = Long.toString(seconds(taken.waitNanos()));
    exchange.header("Retry-After", wait);
    exchange.header("RateLimit-Limit", Integer.toString(perMinute));
    exchange.header("RateLimit-Remaining", "0");
    exchange.header("RateLimit-Reset", wait);
    throw Rejection.of(
            ErrorCode.RATE_LIMITED,
            "%s: too many (expected: at most %d a minute)"
                .formatted(kind.equals("award") ? "awards" : "requests", perMinute))
        .asException();
  }

  private static long seconds(long nanos) {
    return Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos + 999_999_999));
  }
}
