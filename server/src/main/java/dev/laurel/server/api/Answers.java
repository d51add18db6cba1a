package dev.laurel.server.api;

import dev.laurel.core.board.Edited;
import dev.laurel.core.board.SeasonChange;
import dev.laurel.core.live.Names;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.server.http.JsonOut;

/** The JSON that several routes write, each shape once. */
final class Answers {
  static final byte[] UUID = JsonOut.key("UUID");
  static final byte[] USER_ID = JsonOut.key("userId");
  static final byte[] RANK = JsonOut.key("rank");
  static final byte[] OUTSIDE = JsonOut.key("outside");
  static final byte[] SCORE = JsonOut.key("score");
  static final byte[] TIMESTAMP = JsonOut.key("timestamp");

  private Answers() {}

  /** The rank, or that the entry is outside: it has none of the places. */
  static void rank(JsonOut out, long rank) {
    if (rank == Ranking.OUTSIDE) {
      out.name(OUTSIDE).bool(true);
    } else {
      out.name(RANK).number(rank);
    }
  }

  /** userId, displayName, rank, score, timestamp: the caller opens and closes the object. */
  static void row(
      JsonOut out,
      Board board,
      NameView names,
      UserDictionary users,
      long rank,
      int user,
      long score,
      long reached) {
    names.write(out, users, user, rank);
    rank(out, rank);
    out.name(SCORE).units(score, board.decimals());
    out.name(TIMESTAMP).timestamp(reached);
  }

  /** The same of a user who is called so. */
  static void row(JsonOut out, Board board, Names.Name name, Ranking.Row row) {
    out.beginObject();
    name(out, name);
    rank(out, row.rank());
    out.name(SCORE).units(row.score(), board.decimals());
    out.name(TIMESTAMP).timestamp(row.reached());
    out.endObject();
  }

  static void name(JsonOut out, Names.Name name) {
    out.name(USER_ID).string(name.id());
    if (name.displayName() != null) {
      out.name("displayName").string(name.displayName());
    }
  }

  static void row(JsonOut out, Board board, NameView names, UserDictionary users, Ranking.Row row) {
    out.beginObject();
    row(out, board, names, users, row.rank(), row.user(), row.score(), row.reached());
    out.endObject();
  }

  static JsonOut board(Board board, long totalUsers, boolean isPublic) {
    JsonOut out = new JsonOut(768);
    board(out, board, totalUsers, isPublic);
    return out;
  }

  /** The board after an edit, and what the edit did to its seasons, or would do. */
  static JsonOut edited(Edited edited, long totalUsers, boolean dryRun) {
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    fields(out, edited.board(), totalUsers, false);
    seasonChanges(out, edited, dryRun);
    return out.endObject();
  }

  static void seasonChanges(JsonOut out, Edited edited, boolean dryRun) {
    if (dryRun) {
      out.name("dryRun").bool(true);
    }
    out.name("seasonChanges").beginArray();
    for (SeasonChange change : edited.seasons()) {
      out.beginObject();
      out.name("change").string(change.kind().name());
      SeasonRoutes.write(out.name("season"), edited.board(), change.season());
      out.endObject();
    }
    out.endArray();
  }

  /**
   * @param isPublic for anyone: without the name of the key that made it, which is the tenant's own
   *     affair
   */
  static void board(JsonOut out, Board board, long totalUsers, boolean isPublic) {
    out.beginObject();
    fields(out, board, totalUsers, isPublic);
    out.endObject();
  }

  private static void fields(JsonOut out, Board board, long totalUsers, boolean isPublic) {
    out.name(UUID).string(board.uuid());
    out.name("leaderboardId").string(board.leaderboardId());
    if (board.podId() != null) {
      out.name("podId").string(board.podId());
    }
    out.name("name").string(board.name());
    out.name("status").string(board.status().name());
    out.name("createdAt").timestamp(board.createdAt());
    if (board.start() != Board.NO_START) {
      out.name("startTime").timestamp(board.start());
    }
    if (board.end() != Board.NO_END) {
      out.name("endTime").timestamp(board.end());
    }
    out.name("totalUsers").number(totalUsers);
    out.name("metadata").raw(board.metadata());
    out.name("version").number(board.version());
    out.name("order").string(board.order().name());
    out.name("ties").string(board.ties().name());
    out.name("update").string(board.update().name());
    out.name("decimals").number(board.decimals());
    out.name("bounds").beginObject();
    out.name("min").units(board.bounds().min(), board.decimals());
    if (board.bounds().max() != Long.MAX_VALUE) {
      out.name("max").units(board.bounds().max(), board.decimals());
    }
    out.endObject();
    out.name("visibility").string(board.visibility().name());
    WindowFields.write(out.name("windows"), board.windows());
    if (!isPublic) {
      out.name("createdBy").string(board.createdBy());
    }
    out.name("updatedAt").timestamp(board.updatedAt());
  }

  /**
   * The rank after a write: null where nobody could tell it without holding the write up, and
   * nothing of a user who is not on the board.
   */
  static void rank(JsonOut out, Outcome.Accepted outcome, long rank) {
    if (!outcome.onBoard() || rank == Outcome.NO_RANK) {
      return;
    }
    if (rank == Outcome.UNKNOWN_RANK) {
      out.name(RANK).value(null);
    } else {
      rank(out, rank);
    }
  }

  /** What a submission did; a user who is not on the board has neither rank nor score. */
  static JsonOut updated(Board board, String userId, Outcome.Accepted outcome, long rank) {
    JsonOut out = new JsonOut(192);
    out.beginObject();
    out.name(UUID).string(board.uuid());
    out.name(USER_ID).string(userId);
    if (outcome.onBoard()) {
      out.name(SCORE).units(outcome.score(), board.decimals());
    }
    rank(out, outcome, rank);
    if (outcome.onBoard()) {
      out.name("updatedAt").timestamp(outcome.reached());
    }
    out.name("outcome").string(outcome.effect().name());
    windows(out, board, outcome);
    return out.endObject();
  }

  /** Which window score and rank are about, and which ones the event came too late for. */
  static void windows(JsonOut out, Board board, Outcome.Accepted outcome) {
    Season season = outcome.season();
    Window shown =
        season == null || board.windows().size() == 1 ? null : board.window(season.window());
    if (shown != null) {
      out.name("period").string(shown.name());
    }
    if (!outcome.missed().isEmpty()) {
      out.name("missed").value(outcome.missed().stream().map(Window::name).toList());
    }
  }
}
