package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Ties;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.ScoreMetadata;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.JsonOut;
import org.jspecify.annotations.Nullable;

/** A user's row and what the answer says of the rest, from one state of the board. */
record Standing(Ranking.Row row, @Nullable String displayName, long total, long better) {
  private static final byte[] PERCENTILE = JsonOut.key("percentile");
  private static final byte[] TOTAL_USERS = JsonOut.key("totalUsers");

  static Standing of(Board board, NameView names, Rankings.View view, String userId) {
    Ranking ranking = view.ranking();
    Ranking.Row row = names.row(view, userId);
    // Only dense ranks do not tell by themselves how many entries are before.
    long better = board.ties() == Ties.DENSE ? ranking.better(row.score()) : row.rank() - 1;
    return new Standing(
        row, names.displayName(view.users(), row.user(), row.rank()), ranking.size(), better);
  }

  JsonOut json(Board board, String userId, ScoreMetadata.Found metadata) {
    JsonOut out = new JsonOut(224);
    out.beginObject();
    out.name(Answers.UUID).string(board.uuid());
    out.name(Answers.USER_ID).string(userId);
    if (displayName != null) {
      out.name("displayName").string(displayName);
    }
    Answers.rank(out, row.rank());
    out.name(Answers.SCORE).units(row.score(), board.decimals());
    out.name(Answers.TIMESTAMP).timestamp(row.reached());
    if (!row.isOutside()) {
      // How many of 100 users are not better, in hundredths.
      out.name(PERCENTILE).units(Math.round(10_000.0 * (total - better) / total), 2);
    }
    out.name(TOTAL_USERS).number(total);
    switch (metadata) {
      case ScoreMetadata.Found.Is(String json) -> out.name("metadata").raw(json);
      case ScoreMetadata.Found.None _ -> {}
      // There is some, and the store does not tell.
      case ScoreMetadata.Found.Changed _, ScoreMetadata.Found.Unknown _ ->
          out.name("metadata").value(null);
    }
    return out.endObject();
  }
}
