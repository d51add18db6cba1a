package dev.laurel.server.events;

import dev.laurel.core.events.AwardHooks;
import dev.laurel.core.events.Change;
import dev.laurel.core.guard.Features;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.server.http.JsonOut;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * {@code award.recorded}: an award with what is odd about it or not, for whoever looks for abuse.
 * On the stream of changes and to webhooks alike, and always the same.
 */
public final class AwardPayload {
  private AwardPayload() {}

  public static String encode(Change change) {
    LedgerLine line = change.line();
    Features features = change.award();
    JsonOut out = new JsonOut(512);
    out.beginObject();
    out.name("type").string(AwardHooks.EVENT);
    out.name("id").string(change.awardId());
    out.name("shard").number(line.shard());
    out.name("line").number(line.line());
    out.name("tenantId").string(change.tenantId());
    out.name("leaderboardId").string(change.board().leaderboardId());
    out.name("UUID").string(change.board().uuid());
    out.name("userId").string(change.userId());
    out.name("points").units(line.value(), change.board().decimals());
    out.name("timestamp").timestamp(line.at());
    if (line.kind() == LedgerLine.Kind.HOLD) {
      out.name("held").bool(true);
    }
    if (features != null) {
      out.name("features").beginObject();
      out.name("awardsLastMinute").number(features.perMinute());
      out.name("awardsLastHour").number(features.perHour());
      out.name("zScore")
          .value(
              BigDecimal.valueOf(features.userZScore())
                  .setScale(3, RoundingMode.HALF_UP)
                  .doubleValue());
      out.endObject();
    }
    if (line.metadata() != null) {
      out.name("metadata").raw(line.metadata());
    }
    return out.endObject().toString();
  }
}
