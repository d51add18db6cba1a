package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.KnownBoards;
import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Refold;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.Correction;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.store.WriteTransaction.EntryWrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps of lines that are pruned what they had made of entries, for each season that can still be
 * corrected: a revert of a later line begins to fold there. What is said about a pruned line stands
 * in later ones, so those are looked through once, ahead of the pruning, and noted.
 */
final class PrunedEntries {
  /** Lines that are looked through in one transaction. */
  private static final int STEP = 50_000;

  /** So few lines can be looked through under the shard's lock. */
  private static final int REST = 2000;

  private final Store store;
  private final BoardDirectory directory;

  PrunedEntries(Store store, BoardDirectory directory) {
    this.store = store;
    this.directory = directory;
  }

  /** Notes what lines say about others, nearly up to the shard's last one. Blocks. */
  void note(int shard, BooleanSupplier stop) {
    while (!stop.getAsBoolean()
        && store.read(tx -> tx.lastLines()[shard] - noted(tx, shard) > REST)) {
      store.write(
          tx -> {
            // Not under the shard's lock: lines that are there stay as they are.
            long from = noted(tx, shard);
            long to = Math.min(from + STEP, tx.lastLines()[shard]);
            tx.noteCorrections(shard, tx.corrections(shard, from, to));
            tx.moveOffsets(Map.of(SourcePartition.noted(shard), to));
            return true;
          });
    }
  }

  private static long noted(ReadTransaction tx, int shard) {
    SourcePartition position = SourcePartition.noted(shard);
    long noted = tx.offsets(List.of(position)).getOrDefault(position, 0L);
    return Math.max(noted, tx.firstLine(shard) - 1);
  }

  /** One user in one season. */
  private record Place(long season, int user) {}

  /** The lines that reached it, and what is said about them. */
  private static final class Fold {
    final Board board;
    final Season season;
    final List<LedgerLine> lines = new ArrayList<>();
    final Refold refold = new Refold(lines);

    Fold(Board board, Season season) {
      this.board = board;
      this.season = season;
    }

    @Nullable Entry after(@Nullable Entry base) {
      return refold
          .states(board, List.of(new Refold.Start(season, base)), (_, _) -> true)
          .getFirst();
    }
  }

  /**
   * Call it under the shard's lock, before they are pruned.
   *
   * @param lines the shard's first ones
   */
  void keep(WriteTransaction tx, int shard, List<LedgerLine> lines) {
    Sorting sorting = new Sorting(tx, directory.follow(tx));
    lines.forEach(sorting::add);
    Map<Place, Fold> folds = sorting.folds;
    if (folds.isEmpty()) {
      return;
    }
    Map<Long, List<Correction>> corrections = corrections(tx, shard, lines);
    Map<Long, List<Integer>> users = new HashMap<>();
    folds.forEach(
        (place, fold) -> {
          users.computeIfAbsent(place.season, _ -> new ArrayList<>()).add(place.user);
          for (LedgerLine line : fold.lines) {
            for (Correction c : corrections.getOrDefault(line.line(), List.of())) {
              fold.refold.correct(c.kind(), c.target(), c.windows());
            }
          }
        });
    List<EntryWrite> kept = new ArrayList<>();
    users.forEach(
        (season, some) -> {
          int[] numbers = some.stream().mapToInt(user -> user).toArray();
          List<@Nullable Entry> bases = tx.bases(season, numbers);
          for (int i = 0; i < numbers.length; i++) {
            Fold fold = folds.get(new Place(season, numbers[i]));
            Entry entry = fold == null ? null : fold.after(bases.get(i));
            if (entry != null) {
              kept.add(new EntryWrite(season, numbers[i], entry.withoutMetadata()));
            }
          }
        });
    tx.putBases(kept);
  }

  /** Sorts lines by whom and what they reached. */
  private static final class Sorting {
    private final ReadTransaction tx;
    private final KnownBoards boards;
    private final LineSeasons seasons;
    private final Map<Window, List<Season>> here = new HashMap<>();
    private final Map<Place, Fold> folds = new LinkedHashMap<>();

    private record Window(long board, int number) {}

    Sorting(ReadTransaction tx, KnownBoards boards) {
      this.tx = tx;
      this.boards = boards;
      this.seasons = new LineSeasons(tx);
    }

    void add(LedgerLine line) {
      Board board = boards.find(line.board());
      if (board != null && line.kind().isSubmission()) {
        seasons.of(line).stream()
            .filter(season -> !season.status().isAway())
            .forEach(season -> add(board, season, line));
      } else if (board != null && line.kind() == LedgerLine.Kind.DELETE) {
        // One line for all seasons in which the user had something and which took events then.
        for (long rest = line.windows(); rest != 0; rest &= rest - 1) {
          here(board, Long.numberOfTrailingZeros(rest)).stream()
              .filter(season -> seasons.reached(season, line))
              .forEach(season -> add(board, season, line));
        }
      }
    }

    private void add(Board board, Season season, LedgerLine line) {
      Place place = new Place(season.id(), line.user());
      folds.computeIfAbsent(place, _ -> new Fold(board, season)).lines.add(line);
    }

    private List<Season> here(Board board, int window) {
      return here.computeIfAbsent(
          new Window(board.id(), window),
          _ ->
              tx.seasonsBefore(board.id(), window, Long.MAX_VALUE, Integer.MAX_VALUE).stream()
                  .filter(season -> !season.status().isAway())
                  .toList());
    }
  }

  /** By the line that they are about. */
  private static Map<Long, List<Correction>> corrections(
      ReadTransaction tx, int shard, List<LedgerLine> lines) {
    long before = lines.getFirst().line() - 1;
    long last = lines.getLast().line();
    Map<Long, List<Correction>> byTarget = new HashMap<>();
    List<Correction> all = new ArrayList<>(tx.notedCorrections(shard, before, last));
    all.addAll(tx.corrections(shard, noted(tx, shard), tx.lastLines()[shard]));
    for (Correction each : all) {
      byTarget.computeIfAbsent(each.target(), _ -> new ArrayList<>()).add(each);
    }
    return byTarget;
  }
}
