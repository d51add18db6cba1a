package dev.laurel.server.api;

import dev.laurel.core.archive.Archives;
import dev.laurel.core.lifecycle.ArchiveProgress;
import dev.laurel.core.lifecycle.ArchiveRequests;
import dev.laurel.core.lifecycle.ArchiveRequests.Overview;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.List;

/**
 * The archives of a tenant. To archive and to restore are long: they are asked for, and looked at
 * until they are done. To ask again for what was asked for changes nothing, so an idempotency key
 * needs only to be a valid one.
 */
final class ArchiveRoutes {
  private final BoardAccess access;
  private final Seasons seasons;
  private final Archives archives;
  private final ArchiveRequests requests;

  ArchiveRoutes(BoardAccess access, Seasons seasons, Archives archives, ArchiveRequests requests) {
    this.access = access;
    this.seasons = seasons;
    this.archives = archives;
    this.requests = requests;
  }

  void list(Exchange exchange) {
    long after = exchange.longQuery("after", 0, 0, Long.MAX_VALUE);
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    List<Overview> page = requests.list(exchange.caller().tenant(), after, limit);
    JsonOut out = new JsonOut(256 + 512 * page.size());
    write(out.beginObject(), page);
    String problem = archives.sharing().problem();
    out.name("purging").beginObject();
    out.name("state").string(problem == null ? "ON" : "WAITING");
    if (problem != null) {
      out.name("problem").string(problem);
    }
    exchange.json(out.endObject().endObject());
  }

  void runAll(Exchange exchange) {
    RequestKey.forConfiguration(exchange);
    send(exchange.status(202), requests.archiveAll(exchange.caller().tenant()));
  }

  void get(Exchange exchange) {
    send(exchange, on(exchange, requests::look));
  }

  void run(Exchange exchange) {
    RequestKey.forConfiguration(exchange);
    send(exchange.status(202), on(exchange, requests::archive));
  }

  void restore(Exchange exchange) {
    RequestKey.forConfiguration(exchange);
    send(exchange.status(202), on(exchange, requests::restore));
  }

  /** Answers when all of it was read, or with what is wrong. */
  void verify(Exchange exchange) {
    exchange.onlyReads();
    send(
        exchange,
        on(
            exchange,
            (board, season) -> {
              archives.verify(board, season, _ -> {});
              return requests.look(board, season);
            }));
  }

  /** What is asked of a season. */
  private interface Question {
    Overview of(Board board, Season season);
  }

  private Overview on(Exchange exchange, Question question) {
    String id = exchange.pathParam("seasonId");
    Seasons.Parsed parsed = Seasons.parse(id);
    Board board = access.ownedSeason(exchange, id, parsed);
    if (parsed == null) {
      throw new IllegalStateException("refused before");
    }
    Season season = seasons.require(board, board.windows().getFirst(), parsed.which());
    return question.of(board, season);
  }

  private static void send(Exchange exchange, List<Overview> all) {
    JsonOut out = new JsonOut(64 + 512 * all.size());
    write(out.beginObject(), all);
    exchange.json(out.endObject());
  }

  private static void write(JsonOut out, List<Overview> all) {
    out.name("archives").beginArray();
    all.forEach(one -> write(out, one));
    out.endArray();
  }

  private static void send(Exchange exchange, Overview one) {
    JsonOut out = new JsonOut(512);
    write(out, one);
    exchange.json(out);
  }

  private static void write(JsonOut out, Overview one) {
    out.beginObject();
    out.name("number").number(one.season().id());
    out.name("UUID").string(one.board().uuid());
    out.name("instanceId").string(one.board().idOf(one.season()));
    out.name("label").string(one.season().label());
    out.name("state").string(one.season().status().name());
    ArchiveRecord record = one.record();
    if (record != null) {
      out.name("archivedAt").timestamp(record.archivedAt());
      out.name("users").number(record.users());
      out.name("bytes").number(record.bytes());
      out.name("sha256").string(record.digest());
    }
    ArchiveProgress.State state = one.state();
    if (state != null) {
      out.name("progress").beginObject();
      out.name("done").number(state.done());
      out.name("total").number(state.total());
      if (state.problem() != null) {
        out.name("problem").string(state.problem());
      }
      out.endObject();
    }
    out.endObject();
  }
}
