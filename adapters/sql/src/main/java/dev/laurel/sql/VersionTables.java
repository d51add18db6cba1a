package dev.laurel.sql;

import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Feature;
import dev.laurel.core.model.FeatureType;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rules;
import dev.laurel.core.model.Schedule;
import dev.laurel.core.model.Scoring;
import dev.laurel.core.model.Strategy;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Update;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may be edited of boards, once for every version there ever was. */
final class VersionTables {
  /** The version in force of the boards that changed after a revision. */
  private static final String CURRENT_SINCE =
      " JOIN boards b ON b.id = v.board AND b.version = v.version WHERE b.revision > ?";

  private static final String CURRENT_OF =
      " JOIN boards b ON b.id = v.board AND b.version = v.version WHERE b.id = ?";
  private static final String ALL_OF = " WHERE v.board = ?";

  private static final String VERSIONS =
      "SELECT v.board, v.version, v.status, v.name, v.pod_id, v.rank_order, v.ties, v.update_mode,"
          + " v.decimals, v.min_score, v.max_score, v.visibility, v.starts_at, v.ends_at,"
          + " v.metadata, v.updated_at, v.strategy, v.topic, v.write_qps FROM board_versions v";
  private static final String FEATURES =
      "SELECT v.board, v.version, v.name, v.data_type, v.required FROM board_features v";
  private static final String WINDOWS =
      "SELECT v.board, v.version, v.number, v.name, v.schedule, v.zone, v.until, v.grace,"
          + " v.capacity FROM board_windows v";
  private static final String PRIZES =
      "SELECT v.board, v.version, v.window_number, v.name, v.from_rank, v.to_rank, v.percent,"
          + " v.reward FROM board_prizes v";

  private static final String PUT =
      "INSERT INTO board_versions (board, version, status, name, pod_id, rank_order, ties,"
          + " update_mode, decimals, min_score, max_score, visibility, starts_at, ends_at,"
          + " metadata, updated_at, strategy, topic, write_qps)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String PUT_FEATURE =
      "INSERT INTO board_features (board, version, number, name, data_type, required)"
          + " VALUES (?, ?, ?, ?, ?, ?)";
  private static final String PUT_WINDOW =
      "INSERT INTO board_windows (board, version, place, number, name, schedule, zone, until,"
          + " grace, capacity) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String PUT_PRIZE =
      "INSERT INTO board_prizes (board, version, window_number, number, name, from_rank, to_rank,"
          + " percent, reward) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final List<String> DELETES =
      List.of(
          "DELETE FROM board_versions WHERE board = ? AND version = ?",
          "DELETE FROM board_features WHERE board = ? AND version = ?",
          "DELETE FROM board_windows WHERE board = ? AND version = ?",
          "DELETE FROM board_prizes WHERE board = ? AND version = ?");

  private static final String DIRECT = "direct:";
  private static final String EXPRESSION = "spel:";

  private final Statements statements;

  VersionTables(Statements statements) {
    this.statements = statements;
  }

  /** By board. */
  Map<Long, BoardVersion> currentSince(long revision) throws SQLException {
    Map<Long, BoardVersion> byBoard = new HashMap<>();
    read(CURRENT_SINCE, revision).forEach((key, version) -> byBoard.put(key.board, version));
    return byBoard;
  }

  BoardVersion currentOf(long board) throws SQLException {
    return read(CURRENT_OF, board).values().iterator().next();
  }

  List<BoardVersion> allOf(long board) throws SQLException {
    return List.copyOf(read(ALL_OF, board).values());
  }

  private record Key(long board, int version) {}

  private record WindowKey(Key version, int number) {}

  private static Key key(ResultSet row) throws SQLException {
    return new Key(row.getLong(1), row.getInt(2));
  }

  private Map<Key, BoardVersion> read(String which, long parameter) throws SQLException {
    Map<Key, List<Feature>> features = new HashMap<>();
    each(
        FEATURES + which + " ORDER BY v.board, v.version, v.number",
        parameter,
        row ->
            features
                .computeIfAbsent(key(row), k -> new ArrayList<>())
                .add(
                    new Feature(
                        row.getString(3),
                        FeatureType.valueOf(row.getString(4)),
                        row.getInt(5) != 0)));
    Map<WindowKey, List<PrizeTier>> prizes = new HashMap<>();
    each(
        PRIZES + which + " ORDER BY v.board, v.version, v.window_number, v.number",
        parameter,
        row ->
            prizes
                .computeIfAbsent(new WindowKey(key(row), row.getInt(3)), k -> new ArrayList<>())
                .add(
                    new PrizeTier(
                        row.getString(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getInt(7),
                        row.getString(8))));
    Map<Key, List<Window>> windows = new HashMap<>();
    each(
        WINDOWS + which + " ORDER BY v.board, v.version, v.place",
        parameter,
        row ->
            windows
                .computeIfAbsent(key(row), k -> new ArrayList<>())
                .add(window(row, prizes.get(new WindowKey(key(row), row.getInt(3))))));
    Map<Key, BoardVersion> versions = new LinkedHashMap<>();
    each(
        VERSIONS + which + " ORDER BY v.board, v.version",
        parameter,
        row ->
            versions.put(
                key(row),
                version(
                    row,
                    windows.getOrDefault(key(row), List.of()),
                    features.getOrDefault(key(row), List.of()))));
    return versions;
  }

  private void each(String query, long parameter, Statements.RowConsumer consumer)
      throws SQLException {
    try (ResultSet rows = statements.get(query, parameter).executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows);
      }
    }
  }

  private static Window window(ResultSet row, @Nullable List<PrizeTier> prizes)
      throws SQLException {
    return new Window(
        row.getInt(3),
        row.getString(4),
        Schedule.parse(row.getString(5)),
        ZoneId.of(row.getString(6)),
        row.getLong(7),
        row.getLong(8),
        row.getInt(9),
        prizes == null ? List.of() : List.copyOf(prizes));
  }

  private static BoardVersion version(ResultSet row, List<Window> windows, List<Feature> features)
      throws SQLException {
    String strategy = row.getString(17);
    String topic = row.getString(18);
    return new BoardVersion(
        row.getInt(2),
        BoardStatus.valueOf(row.getString(3)),
        row.getString(4),
        row.getString(5),
        new Rules(
            Order.valueOf(row.getString(6)),
            Ties.valueOf(row.getString(7)),
            Update.valueOf(row.getString(8)),
            row.getInt(9),
            new Bounds(row.getLong(10), row.getLong(11))),
        Visibility.valueOf(row.getString(12)),
        row.getLong(13),
        row.getLong(14),
        row.getString(15),
        List.copyOf(windows),
        strategy == null ? null : new Scoring(List.copyOf(features), strategy(strategy)),
        topic == null ? null : new Feed(topic, row.getInt(19)),
        row.getLong(16));
  }

  private static Strategy strategy(String text) {
    return text.startsWith(DIRECT)
        ? new Strategy.Direct(text.equals(DIRECT) ? null : text.substring(DIRECT.length()))
        : new Strategy.Expression(text.substring(EXPRESSION.length()));
  }

  private static String text(Strategy strategy) {
    return switch (strategy) {
      case Strategy.Direct(var feature) -> DIRECT + (feature == null ? "" : feature);
      case Strategy.Expression(var expression) -> EXPRESSION + expression;
    };
  }

  /** Replaces what is stored of this version. */
  void put(long board, BoardVersion version) throws SQLException {
    for (String delete : DELETES) {
      statements.update(delete, board, version.number());
    }
    Rules rules = version.rules();
    Scoring scoring = version.scoring();
    Feed feed = version.feed();
    statements.update(
        PUT,
        board,
        version.number(),
        version.status().name(),
        version.name(),
        version.podId(),
        rules.order().name(),
        rules.ties().name(),
        rules.update().name(),
        rules.decimals(),
        rules.bounds().min(),
        rules.bounds().max(),
        version.visibility().name(),
        version.start(),
        version.end(),
        version.metadata(),
        version.updatedAt(),
        scoring == null ? null : text(scoring.strategy()),
        feed == null ? null : feed.topicName(),
        feed == null ? 0 : feed.writeQps());
    List<Feature> features = scoring == null ? List.of() : scoring.features();
    for (int i = 0; i < features.size(); i++) {
      Feature feature = features.get(i);
      statements.update(
          PUT_FEATURE,
          board,
          version.number(),
          i,
          feature.name(),
          feature.type().name(),
          feature.required() ? 1 : 0);
    }
    List<Window> windows = version.windows();
    for (int i = 0; i < windows.size(); i++) {
      putWindow(board, version.number(), i, windows.get(i));
    }
  }

  private void putWindow(long board, int version, int place, Window window) throws SQLException {
    statements.update(
        PUT_WINDOW,
        board,
        version,
        place,
        window.number(),
        window.name(),
        window.schedule().text(),
        window.zone().getId(),
        window.until(),
        window.grace(),
        window.capacity());
    List<PrizeTier> prizes = window.prizes();
    for (int i = 0; i < prizes.size(); i++) {
      PrizeTier tier = prizes.get(i);
      statements.update(
          PUT_PRIZE,
          board,
          version,
          window.number(),
          i,
          tier.name(),
          tier.from(),
          tier.to(),
          tier.percent(),
          tier.reward());
    }
  }
}
