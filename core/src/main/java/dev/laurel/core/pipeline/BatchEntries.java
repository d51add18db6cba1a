package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.WriteTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries that one batch meets: as the store has them, and as the batch leaves them. Belongs to
 * one thread.
 */
final class BatchEntries {
  private final ReadTransaction tx;
  private final Map<Long, InSeason> seasons = new LinkedHashMap<>();

  /** One season's part of the commit. */
  record Move(Board board, Season season, long line, List<RankIndex.Change> changes) {}

  /** The users of one season, and the last line that touched it; 0 if none did. */
  private static final class InSeason {
    final Board board;
    final Season season;
    final Map<Integer, Cell> cells = new HashMap<>();
    int[] wanted = new int[16];
    int wantedCount;
    long line;

    InSeason(Board board, Season season) {
      this.board = board;
      this.season = season;
    }
  }

  /** One user's entry in one season, before the batch and now. A tombstone is an entry here. */
  static final class Cell {
    private final InSeason owner;
    private final int user;
    private final @Nullable Entry before;
    private @Nullable Entry now;
    private boolean changed;

    private Cell(InSeason owner, int user, @Nullable Entry before) {
      this.owner = owner;
      this.user = user;
      this.before = before;
      this.now = before;
    }

    Season season() {
      return owner.season;
    }

    int user() {
      return user;
    }

    /** As the store has it. */
    @Nullable Entry before() {
      return before;
    }

    /** As the batch has left it so far. */
    @Nullable Entry entry() {
      return now;
    }

    boolean isAlive() {
      return now != null && !now.deleted();
    }

    /** The user's last line in the season; 0 if there is none. */
    long last() {
      return now == null ? 0 : now.last();
    }

    void put(Entry entry, long line) {
      now = entry;
      changed = true;
      owner.line = line;
    }

    /** The line is the user's last one here, and changes nothing else. */
    void link(long line) {
      put(now == null ? Entry.none(line) : now.withLast(line), line);
    }
  }

  BatchEntries(ReadTransaction tx) {
    this.tx = tx;
  }

  /** Announces a user, so that {@link #load} reads the entry together with others. */
  void want(Board board, Season season, int user) {
    InSeason in = in(board, season);
    if (in.wantedCount > 0 && in.wanted[in.wantedCount - 1] == user) {
      return; // a line asks for its season as the one it reaches, and as one that it is linked in
    }
    if (in.wantedCount == in.wanted.length) {
      in.wanted = Arrays.copyOf(in.wanted, 2 * in.wantedCount);
    }
    in.wanted[in.wantedCount++] = user;
  }

  /** Reads, in few statements, what is wanted; other entries are read when they are met. */
  void load() {
    for (InSeason in : seasons.values()) {
      int[] users = distinct(in.wanted, in.wantedCount);
      List<@Nullable Entry> found = tx.entries(in.season.id(), users);
      for (int i = 0; i < users.length; i++) {
        in.cells.put(users[i], new Cell(in, users[i], found.get(i)));
      }
    }
  }

  /** The first of them in order, each once. By hand: streams make an object of every number. */
  private static int[] distinct(int[] numbers, int count) {
    Arrays.sort(numbers, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || numbers[i] != numbers[kept - 1]) {
        numbers[kept++] = numbers[i];
      }
    }
    return Arrays.copyOf(numbers, kept);
  }

  private InSeason in(Board board, Season season) {
    InSeason in = seasons.get(season.id());
    if (in == null) {
      in = new InSeason(board, season);
      seasons.put(season.id(), in);
    }
    return in;
  }

  Cell cell(Board board, Season season, int user) {
    InSeason in = in(board, season);
    Cell cell = in.cells.get(user);
    if (cell == null) {
      cell = new Cell(in, user, tx.entries(season.id(), new int[] {user}).getFirst());
      in.cells.put(user, cell);
    }
    return cell;
  }

  /** How each season moves. */
  List<Move> moves() {
    List<Move> moves = new ArrayList<>(seasons.size());
    for (InSeason in : seasons.values()) {
      if (in.line > 0) {
        List<RankIndex.Change> changes = new ArrayList<>(in.cells.size());
        for (Cell cell : in.cells.values()) {
          Entry entry = cell.now;
          if (entry != null && cell.changed && isVisible(cell.before, entry)) {
            changes.add(
                new RankIndex.Change(
                    cell.user,
                    !entry.deleted(),
                    entry.score(),
                    entry.reached(),
                    entry.metadata() != null));
          }
        }
        moves.add(new Move(in.board, in.season, in.line, changes));
      }
    }
    return moves;
  }

  /** Stores what changed. */
  void write(WriteTransaction transaction) {
    List<WriteTransaction.EntryWrite> writes = new ArrayList<>();
    for (InSeason in : seasons.values()) {
      for (Cell cell : in.cells.values()) {
        Entry entry = cell.now;
        if (entry != null && cell.changed) {
          writes.add(new WriteTransaction.EntryWrite(in.season.id(), cell.user, entry));
        }
      }
    }
    transaction.putEntries(writes);
  }

  /** Whether readers of ranks can tell the two apart. */
  private static boolean isVisible(@Nullable Entry before, Entry after) {
    if (before == null) {
      return !after.deleted();
    }
    return before.deleted() != after.deleted()
        || before.score() != after.score()
        || before.reached() != after.reached()
        || (before.metadata() != null) != (after.metadata() != null);
  }
}
