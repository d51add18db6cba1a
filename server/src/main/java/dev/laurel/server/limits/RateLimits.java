package dev.laurel.server.limits;

import dev.laurel.core.access.Buckets;
import dev.laurel.core.access.Principal;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.Access;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Limits;
import dev.laurel.server.http.UndecidedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;

/**
 * Limits for users and for those who do not say who they are: requests an address, requests a user,
 * awards a user. API keys, tokens with scopes on the native surface, and callers to whom the
 * setting {@code anonymous} opened the tenant are services and are not counted. Thread-safe.
 */
public final class RateLimits implements Limits {
  private final Rates rates;
  private final Buckets buckets;
  private final TrustedProxies proxies;
  private final Counter drops;

  /** A minute's worth; 0 for no limit. */
  public record Rates(int user, int address, int awards) {
    boolean isOff() {
      return user == 0 && address == 0 && awards == 0;
    }
  }

  public RateLimits(Rates rates, Buckets buckets, TrustedProxies proxies, MeterRegistry registry) {
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
    Principal caller = exchange.principal();
    Access access = exchange.route().access();
    if (rates.isOff() || access == Access.STREAM || (caller != null && isService(caller, access))) {
      return;
    }
    if (buckets.mayWait() && !mayWait) {
      throw new UndecidedException();
    }
    String client = proxies.client(exchange.peer(), exchange.headers(TrustedProxies.FORWARDED_FOR));
    take(exchange, "address", client, rates.address);
    if (caller != null) {
      take(exchange, "user", caller.callerId(), rates.user);
      if (access == Access.AWARD) {
        take(exchange, "award", caller.callerId(), rates.awards);
      }
    }
  }

  private static boolean isService(Principal caller, Access access) {
    return caller.userId() == null || (!caller.scopes().isEmpty() && !access.isForUsers());
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
