package dev.laurel.server.api;

import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.repair.Checked;
import dev.laurel.core.repair.Difference;
import dev.laurel.core.repair.IndexChecks;
import dev.laurel.core.repair.Progress;
import dev.laurel.core.repair.RepairQueue;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the index of the node that is asked. One is as long as its boards are, so its answer is
 * sent while it goes on: a line now and then, and one for each season's result.
 */
final class CheckRoutes {
  private final BoardAccess access;
  private final Boards boards;
  private final IndexChecks checks;
  private final RepairQueue queue;

  CheckRoutes(BoardAccess access, Boards boards, IndexChecks checks, RepairQueue queue) {
    this.access = access;
    this.boards = boards;
    this.checks = checks;
    this.queue = queue;
  }

  /** What is done to each season. */
  private interface Job {
    Checked of(Board board, Season season, Progress progress);
  }

  void check(Exchange exchange) {
    RequestKey.forConfiguration(exchange);
    Fields fields = exchange.fields();
    String uuid = fields.optionalString("UUID");
    boolean rebuild = fields.bool("rebuild", false);
    fields.done();
    List<Board> asked =
        uuid == null
            ? boards.all(exchange.caller().tenant())
            : List.of(access.owned(exchange, uuid));
    Job job = rebuild ? checks::rebuild : checks::verify;
    Lines lines = new Lines(new AnswerLines(exchange));
    try {
      for (Board board : asked) {
        for (Season season : board.seasons()) {
          if (!season.status().isAway()) {
            lines.result(board, season, result(job, board, season, lines));
          }
        }
      }
      lines.end();
    } catch (CancellationException e) {
      // Whoever asked has gone.
    }
  }

  /** One that fails does not hold up the others. */
  private static Checked result(Job job, Board board, Season season, Lines lines) {
    try {
      return job.of(board, season, (done, total) -> lines.progress(board, season, done, total));
    } catch (CancellationException e) {
      throw e;
    } catch (RuntimeException e) {
      return new Checked.NoAnswer(RepairQueue.said(e));
    }
  }

  /** The answer, line by line. For one thread. */
  private static final class Lines {
    private final AnswerLines out;
    private int seasons;
    private int wrong;

    Lines(AnswerLines out) {
      this.out = out;
    }

    void progress(Board board, Season season, long done, long total) {
      if (out.isQuiet()) {
        JsonOut line = begin(board, season);
        line.name("done").number(done);
        line.name("total").number(total);
        out.send(line);
      }
    }

    void result(Board board, Season season, Checked result) {
      seasons++;
      wrong += result instanceof Checked.Drift || result instanceof Checked.NoAnswer ? 1 : 0;
      JsonOut line = begin(board, season);
      switch (result) {
        case Checked.Equal(var side) -> {
          line.name("state").string("EQUAL");
          side(line, "store", side);
          side(line, "index", side);
        }
        case Checked.Drift(var store, var index, var first) -> {
          line.name("state").string("DIFFERENT");
          side(line, "store", store);
          side(line, "index", index);
          if (first != null) {
            difference(line, board, first);
          }
        }
        case Checked.NotLoaded _ -> line.name("state").string("NOT_LOADED");
        case Checked.NoAnswer(var why) -> {
          line.name("state").string("NO_ANSWER");
          line.name("problem").string(why);
        }
      }
      out.send(line);
    }

    private static JsonOut begin(Board board, Season season) {
      JsonOut line = new JsonOut(512);
      line.beginObject();
      CheckRoutes.name(line, board, season);
      return line;
    }

    private static void side(JsonOut line, String name, Checked.Side side) {
      line.name(name).beginObject();
      line.name("count").number(side.count());
      line.name("checksum").string(HexFormat.of().toHexDigits(side.checksum()));
      line.endObject();
    }

    private static void difference(JsonOut line, Board board, Difference first) {
      line.name("first").beginObject();
      line.name("kind").string(first.kind().name());
      line.name("userId").string(first.userId());
      value(line, "store", board, first.store());
      value(line, "index", board, first.index());
      line.endObject();
    }

    private static void value(
        JsonOut line, String name, Board board, Difference.@Nullable Value value) {
      if (value != null) {
        line.name(name).beginObject();
        line.name(Answers.SCORE).units(value.score(), board.decimals());
        line.name(Answers.TIMESTAMP).timestamp(value.reached());
        line.endObject();
      }
    }

    void end() {
      JsonOut line = new JsonOut(64).beginObject();
      line.name("seasons").number(seasons);
      line.name("wrong").number(wrong);
      out.end(line);
    }
  }

  void repairs(Exchange exchange) {
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("repairs").beginArray();
    for (RepairQueue.Item item : queue.list()) {
      if (item.board().tenant() == exchange.caller().tenant()) {
        out.beginObject();
        name(out, item.board(), item.season());
        out.name("kind").string(item.kind().name());
        out.name("problem").string(item.problem());
        out.name("since").timestamp(item.since());
        out.name("attempts").number(item.attempts());
        out.endObject();
      }
    }
    exchange.json(out.endArray().endObject());
  }

  private static void name(JsonOut out, Board board, Season season) {
    out.name("UUID").string(board.uuid());
    out.name("instanceId").string(board.idOf(season));
    out.name("label").string(season.label());
  }
}
