package dev.laurel.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/**
 * Counts and latencies by route, status and tenant. Thread-safe.
 *
 * <p>Only the first {@value #LABELLED_TENANTS} tenants have a label of their own, the others share
 * one: a label for each of thousands would make the scrape larger than the traffic it describes.
 */
public final class HttpMetrics {
  static final int LABELLED_TENANTS = 20;

  private static final long OTHER = -1;

  private static final Duration[] BUCKETS = {
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5)
  };

  /** Stands for everything that is not in the table; its template is the label. */
  static final Route UNMATCHED =
      new Route(
          HttpMethod.valueOf("NONE"),
          "unmatched",
          Kind.HOT,
          Access.PUBLIC,
          Body.NONE,
          _ -> {},
          List.of(),
          List.of(),
          new RouteMeters());

  private final MeterRegistry registry;
  private final LongFunction<String> tenantNames;
  private final Map<Long, String> labels = new ConcurrentHashMap<>();
  private final RouteMeters unmatched = new RouteMeters();
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * @param tenantNames the label of a tenant's number; called once for each
   */
  public HttpMetrics(MeterRegistry registry, Room room, LongFunction<String> tenantNames) {
    this.registry = registry;
    this.tenantNames = tenantNames;
    ConnectionCap connections = room.connections();
    BodyBudget bodies = room.bodies();
    Gauge.builder("laurel.http.in.flight", inFlight, AtomicInteger::get)
        .description("Requests under way")
        .register(registry);
    Gauge.builder("laurel.http.connections", connections, ConnectionCap::open)
        .description("Open connections")
        .register(registry);
    Gauge.builder("laurel.http.connections.limit", connections, ConnectionCap::limit)
        .description("Connections above which new ones are closed at once")
        .register(registry);
    Gauge.builder("laurel.http.connections.refused", connections, ConnectionCap::refused)
        .description("Connections that found no place, since the start")
        .register(registry);
    Gauge.builder("laurel.http.body.bytes", bodies, BodyBudget::used)
        .description("Memory of request bodies")
        .register(registry);
    Gauge.builder("laurel.http.body.limit", bodies, BodyBudget::limit)
        .description("Memory that request bodies may take")
        .register(registry);
    FunctionCounter.builder("laurel.http.bodies.refused", bodies, BodyBudget::refused)
        .description("Request bodies that did not fit into their memory")
        .register(registry);
    HeapPressure heap = room.heap();
    Gauge.builder("laurel.heap.tight", heap, h -> h.isTight() ? 1 : 0)
        .description("1 while memory is short, and large requests and strangers are refused")
        .register(registry);
    Gauge.builder("laurel.heap.after.collection.bytes", heap, HeapPressure::usedAfterCollection)
        .description("Heap in use right after the last collection")
        .register(registry);
    FunctionCounter.builder("laurel.http.shed", heap, HeapPressure::shed)
        .description("Requests that were refused because memory was short")
        .register(registry);
    UnreadAnswers unread = room.unread();
    Gauge.builder("laurel.http.unread.bytes", unread, UnreadAnswers::used)
        .description("Memory of answers that callers have not read")
        .register(registry);
    Gauge.builder("laurel.http.unread.limit", unread, UnreadAnswers::limit)
        .description("Memory that answers may take which callers do not read")
        .register(registry);
    FunctionCounter.builder("laurel.http.unread.closed", unread, UnreadAnswers::closed)
        .description("Connections that ended because their callers did not read")
        .register(registry);
  }

  void begun() {
    inFlight.incrementAndGet();
  }

  /** For a request that is under way no more, but was not answered. */
  void left() {
    inFlight.decrementAndGet();
  }

  /**
   * @param tenant 0 if the call has none
   */
  void ended(Route route, int status, long tenant, long nanos) {
    inFlight.decrementAndGet();
    record(route, status, tenant, nanos);
  }

  /** For a request that began and ended in one go, and so was never seen under way. */
  void record(Route route, int status, long tenant, long nanos) {
    RouteMeters known = route.meters();
    RouteMeters meters = known == UNMATCHED.meters() ? unmatched : known;
    Timer timer = meters.find(tenant, status);
    if (timer == null) {
      timer = create(meters, route, status, tenant);
    }
    timer.record(nanos, TimeUnit.NANOSECONDS);
    if (route.access() == Access.AWARD) {
      // By the name that the awards API gives it.
      Counter.builder("score_award_requests")
          .description("Requests for awards by status")
          .tag("status", Integer.toString(status))
          .register(registry)
          .increment();
    }
  }

  private Timer create(RouteMeters meters, Route route, int status, long tenant) {
    String label = tenant == 0 ? "none" : label(tenant);
    long slot = label.isEmpty() ? OTHER : tenant;
    Timer existing = meters.find(slot, status);
    if (existing != null) {
      return existing;
    }
    Timer timer =
        Timer.builder("laurel.http.requests")
            .description("Requests by route, status and tenant")
            .tag("method", route.method().name())
            .tag("route", route.template())
            .tag("status", Integer.toString(status))
            .tag("tenant", label.isEmpty() ? "other" : label)
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    meters.add(slot, status, timer);
    return timer;
  }

  /** Empty for a tenant beyond those that have a label. */
  private String label(long tenant) {
    String known = labels.get(tenant);
    if (known != null) {
      return known;
    }
    synchronized (labels) {
      if (labels.size() >= LABELLED_TENANTS) {
        return "";
      }
      return labels.computeIfAbsent(tenant, tenantNames::apply);
    }
  }
}
