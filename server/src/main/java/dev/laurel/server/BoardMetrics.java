package dev.laurel.server;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/** What tenants have and do, in the metrics, a board a line as long as there are not too many. */
final class BoardMetrics {
  /** More would make a scrape longer than anyone reads. */
  private static final int LABELLED_BOARDS = 1000;

  private static final int LABELLED_TENANTS = 1000;
  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final BoardDirectory boards;
  private final LongFunction<String> tenantNames;
  private final MultiGauge entries;
  private final MultiGauge active;
  private final Map<Long, Counter> updates = new ConcurrentHashMap<>();

  BoardMetrics(MeterRegistry registry, BoardDirectory boards, LongFunction<String> tenantNames) {
    this.registry = registry;
    this.boards = boards;
    this.tenantNames = tenantNames;
    Meters meters = new Meters(registry);
    entries =
        meters.gauges("laurel.board.entries", "Entries a board, where its index is in memory");
    active = meters.gauges("laurel.boards.active", "Boards of a tenant that take scores");
  }

  /** So many lines about the board were committed. */
  void wrote(long board, int lines) {
    Counter counter = updates.get(board);
    if (counter == null) {
      counter = updates.computeIfAbsent(board, this::counter);
    }
    counter.increment(lines);
  }

  /** Boards beyond those that have a line of their own share one. */
  private Counter counter(long id) {
    Board board = boards.find(id);
    if (updates.size() >= LABELLED_BOARDS) {
      board = null;
    }
    return Counter.builder("laurel.score.updates")
        .description("Scores, deletions and corrections that were committed, by board")
        .tag("tenant", board == null ? OTHER : tenantNames.apply(board.tenant()))
        .tag("board", board == null ? OTHER : board.uuid())
        .register(registry);
  }

  /** Before a scrape. Where it fails there are no numbers, rather than those of another time. */
  void refresh(RankIndex index) {
    try {
      count(index);
    } catch (RuntimeException | Error e) {
      entries.register(List.of(), true);
      active.register(List.of(), true);
      throw e;
    }
  }

  private void count(RankIndex index) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    Map<Long, Integer> counts = new TreeMap<>();
    for (Board board : boards.all()) {
      counts.merge(board.tenant(), board.status() == BoardStatus.ACTIVE ? 1 : 0, Integer::sum);
      if (rows.size() < LABELLED_BOARDS) {
        Season season = board.newest(board.windows().getFirst());
        rows.add(
            MultiGauge.Row.of(
                Tags.of("tenant", tenantNames.apply(board.tenant()), "board", board.uuid()),
                season == null ? 0 : index.size(season)));
      }
    }
    entries.register(rows, true);
    active.register(
        counts.entrySet().stream()
            .limit(LABELLED_TENANTS)
            .<MultiGauge.Row<?>>map(
                tenant ->
                    MultiGauge.Row.of(
                        Tags.of("tenant", tenantNames.apply(tenant.getKey())), tenant.getValue()))
            .toList(),
        true);
  }
}
