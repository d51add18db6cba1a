package dev.laurel.server.api;

import dev.laurel.core.live.Encoding;
import dev.laurel.core.live.Names;
import dev.laurel.core.live.Picture;
import dev.laurel.core.live.Update;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.live.Framing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events as docs/live.md writes them: the native ones, or the scoreboard's. All who get the same
 * bytes see users in the same way: as the public does, or as they are.
 *
 * @param stream names what is watched where one connection carries several; null where it does not
 * @param around the user whom the range is around; null for the top
 */
record LiveEncoding(
    Surface surface,
    Framing framing,
    @Nullable String stream,
    boolean isPublic,
    @Nullable String around,
    Profiles profiles,
    InstantSource clock)
    implements Encoding {
  /** Whose words are used. */
  enum Surface {
    NATIVE,
    SCOREBOARD
  }

  @Override
  public Names.Name name(Board board, UserDictionary users, int user, long rank) {
    NameView names = NameView.shared(isPublic, board, profiles);
    return new Names.Name(names.id(users, user, rank), names.displayName(users, user, rank));
  }

  @Override
  public long namesVersion(Board board) {
    return profiles.version(board.tenant());
  }

  @Override
  public String tag() {
    return isPublic ? "p" : "k";
  }

  @Override
  public byte[] snapshot(Board board, Season season, Picture picture, Names names, String id) {
    List<Ranking.Row> rows = picture.rows();
    JsonOut out = new JsonOut(256 + 112 * rows.size());
    out.beginObject();
    if (surface == Surface.NATIVE) {
      out.name("leaderboardId").string(board.uuid());
      facts(out, board, season, picture);
      out.name("from").number(rows.isEmpty() ? 1 : picture.from() + 1);
      out.name("entries").beginArray();
      for (Ranking.Row row : rows) {
        Answers.row(out, board, names.of(row.user()), row);
      }
      out.endArray();
      Ranking.Row outsider = picture.outsider();
      if (outsider != null) {
        Answers.row(out.name("user"), board, names.of(outsider.user()), outsider);
      }
      out.name("resumed").bool(false);
    } else {
      out.name("board").string(board.uuid());
      out.name("entries").beginArray();
      for (Ranking.Row row : rows) {
        out.beginObject();
        scoreboardName(out, names.of(row.user()));
        out.name("total").units(row.score(), board.decimals());
        out.name("rank").number(row.rank());
        out.endObject();
      }
      out.endArray();
      out.name("as_of").timestamp(clock.millis());
    }
    return one("leaderboard.snapshot", out.endObject(), id);
  }

  /**
   * Who asks knows the id, and is not to learn more: one who is not shown is as one who is not
   * there, with a place or without.
   */
  @Override
  public boolean hides(Board board, Picture picture) {
    if (around == null) {
      return false;
    }
    int user = picture.users().find(around);
    long rank =
        picture.rows().stream()
            .filter(row -> row.user() == user)
            .mapToLong(Ranking.Row::rank)
            .findFirst()
            .orElse(Ranking.OUTSIDE);
    // Nobody: the id was free a moment after it was found.
    return user == 0
        || NameView.shared(isPublic, board, profiles).hides(picture.users(), user, rank);
  }

  private static void facts(JsonOut out, Board board, Season season, Picture picture) {
    out.name("status").string(board.status().name());
    season(out.name("season"), board, season);
    out.name("total").number(picture.total());
  }

  @Override
  public byte @Nullable [] info(Board board, Season season, Picture picture, @Nullable String id) {
    if (surface == Surface.SCOREBOARD) {
      return null;
    }
    JsonOut out = new JsonOut(384);
    out.beginObject();
    out.name("leaderboardId").string(board.uuid());
    facts(out, board, season, picture);
    return one("leaderboard.info", out.endObject(), id);
  }

  private static void scoreboardName(JsonOut out, Names.Name name) {
    out.name("user_id").string(name.id());
    if (name.displayName() != null) {
      out.name("display_name").string(name.displayName());
    }
  }

  @Override
  public byte[] updates(
      Board board, Season season, Picture picture, Names names, List<Update> updates, String id) {
    NameView view = NameView.shared(isPublic, board, profiles);
    // Where a user went who is called something else there is nobody's business.
    if (updates.stream().anyMatch(update -> view.dependsOnRank(update.user()))) {
      return snapshot(board, season, picture, names, id);
    }
    List<Framing.Event> events = new ArrayList<>(updates.size());
    for (int i = 0; i < updates.size(); i++) {
      events.add(
          new Framing.Event(
              "leaderboard.update",
              update(board, names, picture, updates.get(i)),
              i == updates.size() - 1 ? id : null));
    }
    return framing.encode(events, stream);
  }

  private JsonOut update(Board board, Names names, Picture picture, Update update) {
    boolean isNative = surface == Surface.NATIVE;
    JsonOut out = new JsonOut(160);
    out.beginObject();
    if (isNative) {
      Answers.name(out, names.of(update.user()));
    } else {
      scoreboardName(out, names.of(update.user()));
    }
    units(out.name("delta"), board, update.delta());
    units(out.name(isNative ? "score" : "new_total"), board, update.score());
    place(out.name("rank"), update.rank());
    if (isNative) {
      place(out.name("position"), update.position());
      if (update.isLeft()) {
        out.name("left").bool(true);
      } else if (update.reached() != null) {
        out.name(Answers.TIMESTAMP).timestamp(update.reached());
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
    return framing.encode(List.of(new Framing.Event(name, data, id)), stream);
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
