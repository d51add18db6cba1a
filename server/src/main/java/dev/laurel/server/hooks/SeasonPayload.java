package dev.laurel.server.hooks;

import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.server.http.JsonOut;

/** The JSON that a webhook receives. */
public final class SeasonPayload {
  private SeasonPayload() {}

  public static String encode(
      String id,
      SeasonEvent event,
      long at,
      String tenantId,
      Board board,
      Season season,
      int revision) {
    JsonOut out = new JsonOut(512);
    out.beginObject();
    out.name("id").string(id);
    out.name("event").string(event.text());
    out.name("createdAt").timestamp(at);
    out.name("tenantId").string(tenantId);
    out.name("leaderboardId").string(board.leaderboardId());
    out.name("UUID").string(board.uuid());
    if (revision > 0) {
      out.name("revision").number(revision);
    }
    out.name("season").beginObject();
    out.name("instanceId").string(board.idOf(season));
    out.name("label").string(season.label());
    Window window = board.window(season.window());
    if (window != null) {
      out.name("period").string(window.name());
    }
    if (season.start() != Board.NO_START) {
      out.name("startTime").timestamp(season.start());
    }
    if (season.end() != Board.NO_END) {
      out.name("endTime").timestamp(season.end());
    }
    out.name("status").string(season.status().shown().name());
    return out.endObject().endObject().toString();
  }
}
