package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Outcome;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a batch, and what became of each, in the one shape that every route of batches
 * answers with. Belongs to one request: first its lines are added, then outcomes are taken.
 */
final class BatchAnswer {
  private final List<Line> lines = new ArrayList<>();

  /** A line that could be read. */
  record Read(Board board, Command command) {}

  /** Reads a line, or refuses it by a {@link RejectedException}. */
  @FunctionalInterface
  interface Reader {
    Read read(Fields fields);
  }

  private static final class Line {
    @Nullable String userId;
    @Nullable Read read;
    @Nullable Outcome outcome;
  }

  /**
   * The next line; one that cannot be read is refused, and the others are not.
   *
   * @param what the surface calls a line
   * @param fields null for something that is no object
   */
  void add(String what, @Nullable Fields fields, Reader reader) {
    Line line = new Line();
    lines.add(line);
    try {
      if (fields == null) {
        throw Rejection.invalid(what, "not an object", "an object").asException();
      }
      line.userId = fields.optionalString("userId");
      line.read = reader.read(fields);
    } catch (RejectedException e) {
      line.outcome = new Outcome.Rejected(e.rejection());
    }
  }

  /** The boards that lines are for, each once, as the first of its lines found it. */
  Collection<Board> boards() {
    Map<Long, Board> boards = new LinkedHashMap<>();
    for (Line line : lines) {
      if (line.read != null) {
        boards.putIfAbsent(line.read.board.id(), line.read.board);
      }
    }
    return boards.values();
  }

  /** What could be read for a board, in the order of the lines. */
  List<Command> commands(Board board) {
    List<Command> commands = new ArrayList<>(lines.size());
    for (Line line : lines) {
      if (line.read != null && line.read.board.id() == board.id()) {
        commands.add(line.read.command);
      }
    }
    return commands;
  }

  /** What became of a board's commands, in their order. */
  void take(Board board, List<Outcome> outcomes) {
    int next = 0;
    for (Line line : lines) {
      if (line.read != null && line.read.board.id() == board.id()) {
        line.outcome = outcomes.get(next++);
      }
    }
  }

  /** Nothing was done for a board. */
  void refuse(Board board, Rejection why) {
    take(board, Collections.nCopies(lines.size(), new Outcome.Rejected(why)));
  }

  /** Why the first line was refused; null if it was not. */
  @Nullable Rejection refusal() {
    return lines.getFirst().outcome instanceof Outcome.Rejected(Rejection why) ? why : null;
  }

  /** The answer about all lines. */
  JsonOut results() {
    JsonOut out = new JsonOut(32 + 112 * lines.size());
    out.beginObject().name("results").beginArray();
    lines.forEach(line -> write(out, line));
    return out.endArray().endObject();
  }

  /** The answer to somebody who sent one line, and not a list of one. */
  JsonOut result() {
    JsonOut out = new JsonOut(128);
    write(out, lines.getFirst());
    return out;
  }

  private static void write(JsonOut out, Line line) {
    out.beginObject();
    out.name(Answers.USER_ID).value(line.userId);
    switch (line.outcome) {
      case Outcome.Accepted accepted -> {
        out.name("outcome").string(accepted.effect().name());
        Read read = line.read;
        if (read != null) {
          if (accepted.onBoard()) {
            out.name(Answers.SCORE).units(accepted.score(), read.board.decimals());
            out.name(Answers.TIMESTAMP).timestamp(accepted.reached());
          }
          Answers.windows(out, read.board, accepted);
        }
      }
      case Outcome.Rejected(Rejection rejection) -> {
        out.name("outcome").string("REJECTED");
        out.name("code").string(rejection.code().name());
        out.name("message").string(rejection.message());
      }
      case null -> throw new IllegalStateException("a line without an outcome");
    }
    out.endObject();
  }
}
