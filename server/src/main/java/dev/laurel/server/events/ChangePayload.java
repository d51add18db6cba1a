package dev.laurel.server.events;

import dev.laurel.core.events.Change;
import dev.laurel.core.events.ChangeStream;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.server.http.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A change as JSON, with what the ledger says and nothing that depends on when it is read: so the
 * same line is the same message, however often it is sent.
 */
public final class ChangePayload {
  private ChangePayload() {}

  /** The change, and after an award what an analysis wants to know of it. */
  public static List<ChangeStream.Message> encode(Change change) {
    ChangeStream.Message message = message(change);
    if (change.award() == null) {
      return List.of(message);
    }
    return List.of(
        message,
        new ChangeStream.Message(
            message.key(), AwardPayload.encode(change).getBytes(StandardCharsets.UTF_8)));
  }

  private static ChangeStream.Message message(Change change) {
    LedgerLine line = change.line();
    Board board = change.board();
    JsonOut out = new JsonOut(512);
    out.beginObject();
    out.name("type").string(type(line.kind()));
    // With the stamp: after a restore of the database other changes get the same numbers.
    out.name("id").string(change.id());
    out.name("shard").number(line.shard());
    out.name("line").number(line.line());
    out.name("tenantId").string(change.tenantId());
    out.name("leaderboardId").string(board.leaderboardId());
    out.name("UUID").string(board.uuid());
    out.name("version").number(line.version());
    out.name("userId").string(change.userId());
    if (line.kind().isSubmission()) {
      out.name("score").units(line.value(), board.decimals());
      out.name("mode").string(line.mode().name());
    } else if (line.kind() != LedgerLine.Kind.DELETE) {
      out.name("ofLine").number(line.value());
    }
    out.name("timestamp").timestamp(line.at());
    if (line.previous() != 0) {
      out.name("previousLine").number(line.previous());
    }
    if (line.eventId() != null) {
      out.name("eventId").string(line.eventId());
    }
    if (line.caller() > 0) {
      out.name("keyId").number(line.caller());
    }
    out.name("seasons").beginArray();
    for (Season season : change.seasons()) {
      out.beginObject();
      out.name("instanceId").string(board.idOf(season));
      out.name("label").string(season.label());
      Window window = board.window(season.window());
      if (window != null) {
        out.name("period").string(window.name());
      }
      out.endObject();
    }
    out.endArray();
    if (line.metadata() != null) {
      out.name("metadata").raw(line.metadata());
    }
    out.endObject();
    return new ChangeStream.Message(board.leaderboardId(), out.toByteArray());
  }

  private static String type(LedgerLine.Kind kind) {
    return switch (kind) {
      case SCORE -> "score.accepted";
      case DELETE -> "score.deleted";
      case REVERT -> "score.reverted";
      case HOLD -> "score.held";
      case RELEASE -> "score.released";
      case ERASE -> "user.erased";
    };
  }
}
