package dev.laurel.server;

import dev.laurel.core.time.ClockObserver;
import dev.laurel.core.time.WatchedClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the clock can be believed, in the metrics and, when it jumps, in the log. */
final class ClockMetrics implements ClockObserver {
  private static final Logger LOG = LoggerFactory.getLogger(ClockMetrics.class);

  private final Meters meters;
  private final Counter jumps;

  ClockMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry);
    this.jumps = meters.counter("laurel.clock.jumps", "How often the clock has jumped");
  }

  void watch(WatchedClock clock) {
    meters.gauge(
        "laurel.clock.in.doubt",
        "1 while the clock has jumped and nothing has confirmed it: seasons do not move on",
        () -> clock.inDoubt() == null ? 0 : 1);
    meters.gauge(
        "laurel.clock.offset.seconds",
        "How far this node's clock is ahead of the database's",
        () -> clock.offsetMillis() / 1e3);
  }

  @Override
  public void jumped(long millis) {
    jumps.increment();
    LOG.atWarn()
        .addKeyValue("jump", Duration.ofMillis(millis))
        .log(
            "the clock has jumped and is in doubt: seasons do not move on, and scores whose season"
                + " depends on it are refused, until it is confirmed (see `laurel clock`)");
  }

  @Override
  public void settled(Settled how, long millis) {
    LOG.atWarn()
        .addKeyValue("jump", Duration.ofMillis(millis))
        .addKeyValue("why", how)
        .log(
            how == Settled.RETURNED
                ? "the clock is back where it belongs; the jump had no effect"
                : "the clock is believed again, as it is now");
  }
}
