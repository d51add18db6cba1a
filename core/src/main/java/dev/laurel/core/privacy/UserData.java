package dev.laurel.core.privacy;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the store has about a user. The ledger has no index of users, which every line would have to
 * pay for: to find the lines of one reads all lines of the shards, some at a time.
 */
public final class UserData {
  /** So short that nobody waits for it, and long enough to be quick. */
  private static final long CHUNK = 50_000;

  /** Of one user, in memory at once: each may have some kilobytes of metadata. */
  private static final int LINES = 500;

  private final Store store;
  private final BoardDirectory directory;

  public UserData(Store store, BoardDirectory directory) {
    this.store = store;
    this.directory = directory;
  }

  /** A user's entry in a season of which the store still has the entries. */
  public record Held(Board board, Season season, Entry entry) {}

  /** Those on a board, removed ones included. */
  public static List<Held> entries(ReadTransaction tx, Board board, int user) {
    List<Held> found = new ArrayList<>();
    TreeSet<Integer> windows = new TreeSet<>();
    tx.versions(board.id()).forEach(v -> v.windows().forEach(w -> windows.add(w.number())));
    for (int window : windows) {
      for (Season season :
          tx.seasonsBefore(board.id(), window, Long.MAX_VALUE, Integer.MAX_VALUE)) {
        // Some of one that is being restored may be there already.
        if (!season.status().isAway() || season.status() == SeasonStatus.RESTORING) {
          Entry entry = tx.entries(season.id(), new int[] {user}).getFirst();
          if (entry != null) {
            found.add(new Held(board, season, entry));
          }
        }
      }
    }
    return found;
  }

  /** Decides when a step of it is done. */
  @FunctionalInterface
  public interface Turns {
    /** At once. */
    Turns NONE = Supplier::get;

    List<LedgerLine> step(Supplier<List<LedgerLine>> read);
  }

  /** All lines about the user, shard by shard. Blocks. */
  public void lines(long tenant, int user, Consumer<List<LedgerLine>> consumer) {
    lines(tenant, user, Turns.NONE, consumer);
  }

  /** The same, each read of them when it is its turn. */
  public void lines(long tenant, int user, Turns turns, Consumer<List<LedgerLine>> consumer) {
    TreeSet<Integer> shards = new TreeSet<>();
    directory.ofTenant(tenant).forEach(board -> shards.add(board.shard()));
    long[] last = store.read(ReadTransaction::lastLines);
    for (int shard : shards) {
      long from = store.read(tx -> tx.firstLine(shard)) - 1;
      for (long after = from; after < last[shard]; ) {
        long begin = after;
        long end = Math.min(after + CHUNK, last[shard]);
        List<LedgerLine> found =
            turns.step(
                () ->
                    store.read(
                        Store.Reading.LONG, tx -> tx.linesOf(shard, user, begin, end, LINES)));
        List<LedgerLine> own = found.stream().filter(line -> isOf(tenant, line)).toList();
        if (!own.isEmpty()) {
          consumer.accept(own);
        }
        after = found.size() < LINES ? end : found.getLast().line();
      }
    }
  }

  /** Numbers are a tenant's own, and shards are not. */
  private boolean isOf(long tenant, LedgerLine line) {
    Board board = directory.find(line.board());
    return board != null && board.tenant() == tenant;
  }
}
