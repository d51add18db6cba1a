package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.query.Friends;
import dev.laurel.core.query.Rankings;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** The ranks of a list of users, on the board and among each other. */
final class FriendRoutes {
  private static final int MAX_IDS = 1000;

  /** A longer list takes so long that others would wait behind it on the event loop. */
  private static final int HOT_BYTES = 2048;

  private final BoardAccess access;
  private final Rankings rankings;
  private final SeasonQuery seasons;

  FriendRoutes(BoardAccess access, Rankings rankings, SeasonQuery seasons) {
    this.access = access;
    this.rankings = rankings;
    this.seasons = seasons;
  }

  void ranks(Exchange exchange) {
    if (exchange.body().length > HOT_BYTES) {
      exchange.block(this::ranksHere);
    } else {
      ranksHere(exchange);
    }
  }

  private void ranksHere(Exchange exchange) {
    Board board = access.readable(exchange, exchange.pathParam("UUID"));
    Fields fields = exchange.fields();
    List<String> ids = fields.strings("userIds", MAX_IDS);
    fields.done();
    if (ids.isEmpty()) {
      throw Rejection.invalid("userIds", "none", "1.." + MAX_IDS + " user ids").asException();
    }
    seasons.choose(
        exchange,
        board,
        (x, season) -> {
          NameView names = access.names(x, board);
          IndexFirst.answer(
              x, rankings, board, season, ids, view -> friends(board, names, view, ids));
        });
  }

  private static JsonOut friends(
      Board board, NameView names, Rankings.View view, List<String> ids) {
    Friends friends = Friends.of(board, view, ids);
    List<String> hidden =
        friends.found().stream()
            .filter(f -> names.hides(view.users(), f.user(), f.rank()))
            .map(f -> view.users().id(f.user()))
            .toList();
    if (!hidden.isEmpty()) {
      // As if they were not there: also not as a gap among the others.
      List<String> shown = new ArrayList<>(ids);
      shown.removeAll(hidden);
      friends = Friends.of(board, view, shown);
    }
    List<String> missing = new ArrayList<>(friends.missing());
    missing.addAll(hidden);
    JsonOut out = new JsonOut(64 + 128 * ids.size());
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("users").beginArray();
    for (Friends.Friend friend : friends.found()) {
      out.beginObject();
      Answers.row(
          out,
          board,
          names,
          view.users(),
          friend.rank(),
          friend.user(),
          friend.score(),
          friend.reached());
      out.name("rankAmong").number(friend.rankAmong());
      out.endObject();
    }
    out.endArray();
    out.name("missing").value(missing);
    out.name("totalUsers").number(view.ranking().size());
    return out.endObject();
  }
}
