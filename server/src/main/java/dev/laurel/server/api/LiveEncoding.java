package dev.laurel.server.api;

import dev.laurel.core.live.Encoding;
import dev.laurel.core.live.Picture;
import dev.laurel.core.live.Update;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.live.Framing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events as docs/live.md writes them: the native ones, or document 004's. */
record LiveEncoding(Surface surface, Framing framing, InstantSource clock) implements Encoding {
  /** Whose words are used. */
  enum Surface {
    NATIVE,
    SCOREBOARD
  }

  @Override
  public byte[] snapshot(Board board, Season season, Picture picture, String id) {
    JsonOut out = new JsonOut(256 + 112 * picture.rows().size());
    out.beginObject();
    if (surface == Surface.NATIVE) {
      out.name("leaderboardId").string(board.uuid());
      season(out.name("season"), board, season);
      out.name("total").number(picture.total());
      out.name("from").number(picture.from() + 1);
      out.name("entries").beginArray();
      for (Ranking.Row row : picture.rows()) {
        Answers.row(out, board, picture.users(), row);
      }
      out.endArray();
      out.name("resumed").bool(false);
    } else {
      out.name("board").string(board.uuid());
      out.name("entries").beginArray();
      for (Ranking.Row row : picture.rows()) {
        out.beginObject();
        out.name("user_id");
        Answers.userId(out, picture.users(), row.user());
        out.name("total").units(row.score(), board.decimals());
        out.name("rank").number(row.rank());
        out.endObject();
      }
      out.endArray();
      out.name("as_of").timestamp(clock.millis());
    }
    return one("leaderboard.snapshot", out.endObject(), id);
  }

  @Override
  public byte[] updates(Board board, Picture picture, List<Update> updates, String id) {
    List<Framing.Event> events = new ArrayList<>(updates.size());
    for (int i = 0; i < updates.size(); i++) {
      events.add(
          new Framing.Event(
              "leaderboard.update",
              update(board, picture, updates.get(i)),
              i == updates.size() - 1 ? id : null));
    }
    return framing.encode(events);
  }

  private JsonOut update(Board board, Picture picture, Update update) {
    boolean isNative = surface == Surface.NATIVE;
    JsonOut out = new JsonOut(160);
    out.beginObject();
    out.name(isNative ? "userId" : "user_id");
    Answers.userId(out, picture.users(), update.user());
    units(out.name("delta"), board, update.delta());
    units(out.name(isNative ? "score" : "new_total"), board, update.score());
    place(out.name("rank"), update.rank());
    if (isNative) {
      place(out.name("position"), update.position());
      if (update.isLeft()) {
        out.name("left").bool(true);
      }
      out.name("total").number(picture.total());
    }
    return out.endObject();
  }

  private static void units(JsonOut out, Board board, @Nullable Long units) {
    if (units == null) {
      out.nil();
    } else {
      out.units(units, board.decimals());
    }
  }

  private static void place(JsonOut out, long place) {
    if (place == 0) {
      out.nil();
    } else {
      out.number(place);
    }
  }

  @Override
  public byte[] season(Board board, Season old, Season now) {
    JsonOut out = new JsonOut(384);
    out.beginObject();
    season(out.name("old"), board, old);
    season(out.name("new"), board, now);
    return one("leaderboard.season", out.endObject(), null);
  }

  @Override
  public byte[] resumed(Board board) {
    JsonOut out = new JsonOut(64);
    out.beginObject();
    out.name(surface == Surface.NATIVE ? "leaderboardId" : "board").string(board.uuid());
    return one("leaderboard.resumed", out.name("resumed").bool(true).endObject(), null);
  }

  private byte[] one(String name, JsonOut data, @Nullable String id) {
    return framing.encode(List.of(new Framing.Event(name, data, id)));
  }

  private static void season(JsonOut out, Board board, Season season) {
    out.beginObject();
    out.name("id").string(board.idOf(season));
    out.name("label").string(season.label());
    out.name("status").string(season.status().shown().name());
    if (season.start() != Board.NO_START) {
      out.name("startsAt").timestamp(season.start());
    }
    if (season.end() != Board.NO_END) {
      out.name("endsAt").timestamp(season.end());
    }
    out.endObject();
  }
}
