package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.ChangedBoard;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The shards and their lines. */
final class LedgerTables {
  private static final Insert INSERT =
      Insert.into("ledger")
          .numbers("shard", "line", "board", "user_number", "kind", "mode", "value", "event_at")
          .numbers("windows", "version", "previous", "stamp", "caller")
          .texts("event_id", "metadata", "client");
  private static final String COLUMNS = INSERT.names();
  private static final String ERASE =
      "UPDATE ledger SET event_id = NULL, metadata = NULL, client = NULL, erased = ?"
          + " WHERE shard = ? AND line = ?";

  /** Lines of one statement that say the same, but for user, value, time and previous line. */
  private static final int ALIKE = 20;

  private static final int SHARED = 9;

  /** What they share is bound once, which is most of it. */
  private static final String INSERT_ALIKE = alike("NULL, NULL, NULL", 4);

  /** Lines with something personal share the rest of it. */
  private static final String INSERT_ALIKE_WITH_TEXTS = alike("?%5$d, ?%6$d, ?%7$d", 7);

  private static final String READ =
      "SELECT "
          + COLUMNS
          + ", erased FROM ledger WHERE shard = ? AND line > ? AND line <= ? ORDER BY line LIMIT ?";
  private static final String BACK =
      "WITH RECURSIVE back (line, previous, more) AS"
          + " (SELECT line, previous, ? FROM ledger WHERE shard = ? AND line = ?"
          + " UNION ALL SELECT l.line, l.previous, b.more - 1 FROM back b JOIN ledger l"
          + " ON l.shard = ? AND l.line = b.previous AND b.more > 1)"
          + " SELECT "
          + COLUMNS
          + ", erased FROM ledger WHERE shard = ? AND line IN (SELECT line FROM back) ORDER BY line";

  /** Texts are most of a line, and SQLite keeps long ones on pages of their own. */
  private static final String READ_AT =
      "SELECT shard, line, board, user_number, kind, mode, value, event_at, windows, version,"
          + " previous, stamp, caller, NULL, NULL, NULL, NULL"
          + " FROM ledger WHERE shard = ? AND line";

  /** Without the texts, which are most of a line. */
  private static final String NUMBERS_BACK =
      "WITH RECURSIVE back (line, previous) AS"
          + " (SELECT line, previous FROM ledger WHERE shard = ? AND line = ?"
          + " UNION ALL SELECT l.line, l.previous FROM back b JOIN ledger l"
          + " ON l.shard = ? AND l.line = b.previous) SELECT line FROM back LIMIT ?";

  private static final String READ_OF =
      "SELECT "
          + COLUMNS
          + ", erased FROM ledger"
          + " WHERE shard = ? AND line > ? AND line <= ? AND user_number = ? ORDER BY line LIMIT ?";
  private static final String CHANGED_USERS =
      "SELECT DISTINCT user_number FROM ledger"
          + " WHERE shard = ? AND line > ? AND line <= ? AND board = ? ORDER BY user_number";
  private static final String CHANGED_BOARDS =
      "SELECT board, max(line) FROM ledger"
          + " WHERE shard = ? AND line > ? AND line <= ? GROUP BY board";
  private static final String CHANGES_OF_ONE =
      "SELECT board, user_number, max(line) FROM ledger"
          + " WHERE shard = ? AND line > ? AND line <= ? GROUP BY board, user_number";

  /** Of many shards; a range of the key each, however the planner sees it. */
  private static final String CHANGES =
      "SELECT l.board, l.user_number, max(l.line)"
          + " FROM unnest(string_to_array(?, ',')::integer[], string_to_array(?, ',')::bigint[],"
          + " string_to_array(?, ',')::bigint[]) AS r (shard, after, up_to) CROSS JOIN LATERAL"
          + " (SELECT board, user_number, line FROM ledger"
          + " WHERE ledger.shard = r.shard AND ledger.line > r.after AND ledger.line <= r.up_to"
          + " ORDER BY ledger.line LIMIT 1000000) l GROUP BY l.board, l.user_number";

  private static final String PRUNE = "DELETE FROM ledger WHERE shard = ? AND line <= ?";
  private static final String FIRST = "SELECT min(line) FROM ledger WHERE shard = ?";

  private final Statements statements;
  private final Positions positions;
  private final boolean sharing;

  /** Whether the database takes arrays. */
  private final boolean inBulk;

  private final ChainTable chain;

  LedgerTables(Statements statements, Dialect dialect, Positions positions, ChainTable chain) {
    this.statements = statements;
    this.chain = chain;
    this.positions = positions;
    this.sharing = dialect.sharesParameters();
    this.inBulk = dialect.isShared();
  }

  void createShards(int count) throws SQLException {
    for (int shard = 0; shard < count; shard++) {
      positions.createShard(shard);
    }
  }

  long lock(int shard) throws SQLException {
    return positions.lock(shard);
  }

  Map<Integer, Long> lock(Collection<Integer> shards, boolean wait) throws SQLException {
    return positions.lock(shards, wait);
  }

  int append(int shard, List<LedgerLine> lines) throws SQLException {
    if (lines.isEmpty()) {
      return 0;
    }
    LedgerHead head = chain.head(shard);
    long next = head == null ? positions.last(shard) : head.line();
    for (LedgerLine line : lines) {
      if (line.shard() != shard || line.line() != ++next) {
        throw new StoreException(
            "line: %d of shard %d (expected: %d of shard %d)"
                .formatted(line.line(), line.shard(), next, shard));
      }
    }
    int at = 0;
    while (sharing && at < lines.size()) {
      int end = endOfAlike(lines, at);
      for (; end - at >= ALIKE; at += ALIKE) {
        insertAlike(lines, at);
      }
      insert(lines, at, end);
      at = end;
    }
    insert(lines, at, lines.size());
    return chain.move(shard, head, lines);
  }

  /**
   * @param texts the last columns of a row
   * @param own how many parameters are a row's own
   */
  private static String alike(String texts, int own) {
    String row = "(?1, ?2 + %8$d, ?3, ?%1$d, ?4, ?5, ?%2$d, ?%3$d, ?6, ?7, ?%4$d, ?8, ?9, " + texts;
    return IntStream.range(0, ALIKE)
        .mapToObj(i -> row.formatted(parameters(SHARED + own * i, i)))
        .collect(Collectors.joining("), ", "INSERT INTO ledger (" + COLUMNS + ") VALUES ", ")"));
  }

  private static Object[] parameters(int before, int row) {
    return new Object[] {
      before + 1, before + 2, before + 3, before + 4, before + 5, before + 6, before + 7, row
    };
  }

  /** Up to which line all are like the one at {@code from}. */
  private static int endOfAlike(List<LedgerLine> lines, int from) {
    LedgerLine first = lines.get(from);
    int end = from + 1;
    while (end < lines.size() && isAlike(first, lines.get(end))) {
      end++;
    }
    return end;
  }

  private static boolean isAlike(LedgerLine a, LedgerLine b) {
    return a.board() == b.board()
        && a.kind() == b.kind()
        && a.mode() == b.mode()
        && a.windows() == b.windows()
        && a.version() == b.version()
        && a.stamp() == b.stamp()
        && a.caller() == b.caller()
        && hasTexts(a) == hasTexts(b);
  }

  private static boolean hasTexts(LedgerLine line) {
    return line.eventId() != null || line.metadata() != null || line.client() != null;
  }

  private void insertAlike(List<LedgerLine> lines, int from) throws SQLException {
    LedgerLine first = lines.get(from);
    boolean texts = hasTexts(first);
    PreparedStatement insert = statements.get(texts ? INSERT_ALIKE_WITH_TEXTS : INSERT_ALIKE);
    insert.setInt(1, first.shard());
    insert.setLong(2, first.line());
    insert.setLong(3, first.board());
    insert.setInt(4, Codes.of(first.kind()));
    insert.setInt(5, Codes.of(first.mode()));
    insert.setLong(6, first.windows());
    insert.setInt(7, first.version());
    insert.setLong(8, first.stamp());
    insert.setLong(9, first.caller());
    for (int row = 0, own = SHARED; row < ALIKE; row++) {
      LedgerLine line = lines.get(from + row);
      insert.setInt(++own, line.user());
      insert.setLong(++own, line.value());
      insert.setLong(++own, line.at());
      insert.setLong(++own, line.previous());
      if (texts) {
        insert.setString(++own, line.eventId());
        insert.setString(++own, line.metadata());
        insert.setString(++own, line.client());
      }
    }
    insert.executeUpdate();
  }

  private void insert(List<LedgerLine> lines, int from, int to) throws SQLException {
    if (from == to) {
      return;
    }
    Rows rows = statements.rows(INSERT);
    for (LedgerLine line : lines.subList(from, to)) {
      rows.number(line.shard())
          .number(line.line())
          .number(line.board())
          .number(line.user())
          .number(Codes.of(line.kind()))
          .number(Codes.of(line.mode()))
          .number(line.value())
          .number(line.at())
          .number(line.windows())
          .number(line.version())
          .number(line.previous())
          .number(line.stamp())
          .number(line.caller())
          .text(line.eventId())
          .text(line.metadata())
          .text(line.client())
          .end();
    }
    rows.store();
  }

  List<LedgerLine> lines(int shard, long after, long upTo, int limit) throws SQLException {
    return statements.list(LedgerTables::line, READ, shard, after, upTo, limit);
  }

  List<LedgerLine> linesBack(int shard, long last, int limit) throws SQLException {
    return statements.list(LedgerTables::line, BACK, limit, shard, last, shard, shard);
  }

  List<LedgerLine> linesAt(int shard, long[] numbers) throws SQLException {
    List<LedgerLine> found = new ArrayList<>(numbers.length);
    Object[] asked = Arrays.stream(numbers).boxed().toArray();
    statements.each(READ_AT, shard, asked, row -> found.add(line(row)));
    found.sort(Comparator.comparingLong(LedgerLine::line));
    return found;
  }

  long[] numbersBack(int shard, long last, int limit) throws SQLException {
    LongStream.Builder numbers = LongStream.builder();
    try (ResultSet rows = statements.get(NUMBERS_BACK, shard, last, shard, limit).executeQuery()) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    }
    return numbers.build().sorted().toArray();
  }

  List<LedgerLine> linesOf(int shard, int user, long after, long upTo, int limit)
      throws SQLException {
    return statements.list(LedgerTables::line, READ_OF, shard, after, upTo, user, limit);
  }

  private static LedgerLine line(ResultSet row) throws SQLException {
    return new LedgerLine(
        row.getInt(1),
        row.getLong(2),
        row.getLong(3),
        row.getInt(4),
        Codes.kind(row.getInt(5)),
        Codes.mode(row.getInt(6)),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getInt(10),
        row.getLong(11),
        row.getLong(12),
        row.getLong(13),
        row.getString(14),
        row.getString(15),
        row.getString(16),
        row.getString(17));
  }

  int[] changedUsers(int shard, long board, long after, long upTo) throws SQLException {
    int[] users = new int[64];
    int count = 0;
    try (ResultSet rows = statements.get(CHANGED_USERS, shard, after, upTo, board).executeQuery()) {
      while (rows.next()) {
        if (count == users.length) {
          users = Arrays.copyOf(users, 2 * count);
        }
        users[count++] = rows.getInt(1);
      }
    }
    return Arrays.copyOf(users, count);
  }

  long[] lastLines() throws SQLException {
    return positions.lastLines();
  }

  Map<Long, Long> changedBoards(int shard, long after, long upTo) throws SQLException {
    Map<Long, Long> lines = new HashMap<>();
    try (ResultSet rows = statements.get(CHANGED_BOARDS, shard, after, upTo).executeQuery()) {
      while (rows.next()) {
        lines.put(rows.getLong(1), rows.getLong(2));
      }
    }
    return lines;
  }

  List<ChangedBoard> changes(long[] after, long[] upTo) throws SQLException {
    Map<Long, Changes> changes = new TreeMap<>();
    if (inBulk) {
      StringJoiner shards = new StringJoiner(",");
      StringJoiner from = new StringJoiner(",");
      StringJoiner to = new StringJoiner(",");
      for (int shard = 0; shard < upTo.length; shard++) {
        if (upTo[shard] > after[shard]) {
          shards.add(Integer.toString(shard));
          from.add(Long.toString(after[shard]));
          to.add(Long.toString(upTo[shard]));
        }
      }
      collect(changes, CHANGES, shards.toString(), from.toString(), to.toString());
    } else {
      for (int shard = 0; shard < upTo.length; shard++) {
        if (upTo[shard] > after[shard]) {
          collect(changes, CHANGES_OF_ONE, shard, after[shard], upTo[shard]);
        }
      }
    }
    return changes.entrySet().stream()
        .map(
            board ->
                new ChangedBoard(
                    board.getKey(),
                    board.getValue().line,
                    board.getValue().builder.build().toArray()))
        .toList();
  }

  /** Of one board. */
  private static final class Changes {
    final IntStream.Builder builder = IntStream.builder();
    long line;
  }

  private void collect(Map<Long, Changes> changes, String query, Object... parameters)
      throws SQLException {
    try (ResultSet rows = statements.get(query, parameters).executeQuery()) {
      while (rows.next()) {
        Changes board = changes.computeIfAbsent(rows.getLong(1), b -> new Changes());
        board.builder.add(rows.getInt(2));
        board.line = Math.max(board.line, rows.getLong(3));
      }
    }
  }

  @Nullable LedgerHead head(int shard) throws SQLException {
    return chain.head(shard);
  }

  List<LedgerCheckpoint> checkpoints(int shard) throws SQLException {
    return chain.checkpoints(shard);
  }

  void beginChains(int shards) throws SQLException {
    for (int shard = 0; shard < shards; shard++) {
      chain.begin(shard, lock(shard));
    }
  }

  int prune(int shard, List<LedgerLine> lines) throws SQLException {
    chain.cut(shard, lines);
    return statements.update(PRUNE, shard, lines.getLast().line());
  }

  int erase(List<LedgerLine> lines) throws SQLException {
    for (LedgerLine line : lines) {
      statements.update(ERASE, chain.erase(line).erased(), line.shard(), line.line());
    }
    return lines.size();
  }

  /** After the last one if all were pruned. */
  long firstLine(int shard) throws SQLException {
    // A minimum over no rows is null, which reads as 0; lines start at 1.
    long first = statements.number(0, FIRST, shard);
    return first > 0 ? first : positions.last(shard) + 1;
  }
}
