package dev.laurel.server.kill;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the boards must hold after the writes that were acknowledged: the rules once more, written
 * apart from the server's. Times that the server gave are taken from its answers, which may tell
 * them only once. Belongs to one thread.
 */
final class Expected {
  /** A time that only the server knows yet; it is later than every time the test gives. */
  static final long SERVERS = Long.MAX_VALUE;

  /** A user's line, or (without a score) what a deletion left. */
  record Held(@Nullable Long score, long reached, long seen) {}

  /** A line as the API shows it. */
  record Row(long rank, String user, long score, long reached) {}

  private final Map<TestBoard, Map<String, Held>> boards = new EnumMap<>(TestBoard.class);

  Map<String, Held> board(TestBoard board) {
    return boards.computeIfAbsent(board, b -> new HashMap<>());
  }

  boolean has(TestBoard board, String user) {
    Held held = board(board).get(user);
    return held != null && held.score() != null;
  }

  /** What a line makes of a user, if its write was first sent at {@code sent}; null for no line. */
  static @Nullable Held after(
      TestBoard board, Write.Kind kind, @Nullable Held before, Write.Line line, long sent) {
    if (kind == Write.Kind.DELETE) {
      return before == null || before.score() == null ? before : new Held(null, 0, sent);
    }
    if (line.value() < 0) {
      return before;
    }
    long at = line.at() == null ? SERVERS : line.at();
    // The server's time is at least the time of sending, and all given times are older than that.
    long atLeast = line.at() == null ? sent : line.at();
    Long score = before == null ? null : before.score();
    if (board == TestBoard.LATEST && before != null && atLeast < before.seen()) {
      return before;
    }
    long seen = before == null ? atLeast : Math.max(before.seen(), atLeast);
    if (before == null || score == null) {
      return new Held(line.value(), at, seen);
    }
    return switch (board) {
      case BEST ->
          line.value() > score
              ? new Held(line.value(), at, seen)
              : new Held(
                  score,
                  line.value() == score ? Math.min(before.reached(), at) : before.reached(),
                  seen);
      case LATEST -> new Held(line.value(), line.value() == score ? before.reached() : at, atLeast);
      case SUM ->
          new Held(
              score + line.value(),
              line.value() == 0 ? before.reached() : Math.max(before.reached(), at),
              seen);
    };
  }

  /** All boards of several clients together, in order and with ranks. */
  static List<Row> rank(TestBoard board, List<Expected> clients) {
    List<Row> rows = new ArrayList<>();
    for (Expected client : clients) {
      client
          .board(board)
          .forEach(
              (user, held) -> {
                Long score = held.score();
                if (score != null) {
                  rows.add(new Row(0, user, score, held.reached()));
                }
              });
    }
    rows.sort(
        Comparator.comparingLong((Row row) -> -row.score())
            .thenComparingLong(Row::reached)
            .thenComparing(Row::user)); // plain ASCII here, so this is the order of the bytes
    List<Row> ranked = new ArrayList<>(rows.size());
    for (Row row : rows) {
      long position = ranked.size() + 1L;
      long rank = position;
      if (!ranked.isEmpty()) {
        Row above = ranked.getLast();
        boolean tied = above.score() == row.score();
        rank =
            switch (board.ties()) {
              case "SHARED" -> tied ? above.rank() : position;
              case "DENSE" -> tied ? above.rank() : above.rank() + 1;
              default -> position;
            };
      }
      ranked.add(new Row(rank, row.user(), row.score(), row.reached()));
    }
    return ranked;
  }
}
