package dev.laurel.server.api;

import dev.laurel.core.time.WatchedClock;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** What time it is to Laurel, and an operator's word that it is right. */
final class ClockRoutes {
  private final WatchedClock clock;

  ClockRoutes(WatchedClock clock) {
    this.clock = clock;
  }

  void show(Exchange exchange) {
    exchange.json(answer());
  }

  /** The time is said with it: nobody confirms a clock that has jumped again meanwhile. */
  void confirm(Exchange exchange) {
    RequestKey.forConfiguration(exchange); // to confirm twice changes nothing
    Fields fields = exchange.fields();
    long said = ScoreFields.time("time", fields.string("time"));
    fields.done();
    Long claimed = clock.confirm(said);
    if (claimed != null) {
      throw fields.wrong(
          "time",
          Instant.ofEpochMilli(said),
          "within a minute of what the clock says, " + Instant.ofEpochMilli(claimed));
    }
    exchange.json(answer());
  }

  private JsonOut answer() {
    JsonOut out = new JsonOut(256).beginObject();
    WatchedClock.InDoubt doubt = clock.inDoubt();
    out.name("state").string(doubt == null ? "KNOWN" : "IN_DOUBT");
    out.name("time").timestamp(clock.millis());
    if (doubt != null) {
      out.name("trusted").timestamp(doubt.trusted());
      out.name("claimed").timestamp(doubt.claimed());
      out.name("inDoubtSeconds").number(seconds(doubt.sinceMillis()));
      if (doubt.confirmsInMillis() >= 0) {
        out.name("confirmsInSeconds").number(seconds(doubt.confirmsInMillis()));
      }
      out.name("objected").bool(doubt.objected());
    }
    out.name("offsetMillis").number(clock.offsetMillis());
    return out.endObject();
  }

  private static long seconds(long millis) {
    return TimeUnit.MILLISECONDS.toSeconds(millis);
  }
}
