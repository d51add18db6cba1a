package dev.laurel.core.rank;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The index in this process's memory. Thread-safe.
 *
 * <p>Every season is a follower of the ledger and there is one way to move it: from the line it
 * stands at to a later one. The committer hands its changes over directly ({@link #draft}); whoever
 * missed something, has just started or was unloaded reads the lines in between and loads the
 * entries they name ({@link #catchUp}); and where there is nothing to start from, or the lines are
 * gone, the season is built anew beside the old state and swapped in. Start-up is no special case:
 * it is a catch-up from nothing.
 */
public final class LocalRankIndex implements RankIndex {
  /** Measured at 1M entries, without the user ids, which tenants share. */
  private static final long BYTES_PER_ENTRY = 48;

  private final Store store;
  private final Users users;
  private final long budgetBytes;
  private final Consumer<Throwable> onFailure;
  private final ConcurrentHashMap<Long, LocalSeason> seasons = new ConcurrentHashMap<>();
  private final ExecutorService follower;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong growth = new AtomicLong();
  private volatile long epoch;

  /**
   * @param budgetBytes above it the seasons that were used least recently are unloaded
   * @param onFailure told when a catch-up fails; the season stays behind and is tried again at the
   *     next read
   */
  public LocalRankIndex(Store store, Users users, long budgetBytes, Consumer<Throwable> onFailure) {
    this.store = store;
    this.users = users;
    this.budgetBytes = budgetBytes;
    this.onFailure = onFailure;
    this.epoch = store.read(tx -> tx.epoch());
    this.follower =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("laurel-follower").daemon().factory());
  }

  @Override
  public @Nullable Ranking ranking(Board board, Season season) {
    LocalSeason local = season(season.id());
    RankSnapshot current = local.current();
    if (current == null) {
      requestCatchUp(board, season, local);
    }
    return current;
  }

  @Override
  public Draft draft(Board board, Season season, long from, long to, List<Change> changes) {
    LocalSeason local = season(season.id());
    RankSnapshot loaded = local.current();
    RankSnapshot base = loaded == null && from == 0 ? startEmpty(board, local) : loaded;
    RankSnapshot next = base == null || base.line() != from ? null : apply(base, to, changes);
    return new Draft() {
      @Override
      public @Nullable Ranking ranking() {
        return next;
      }

      @Override
      public void publish() {
        boolean current = local.replace(base, next, to);
        // A season that nobody reads stays unloaded: writing to it needs no ranks.
        if (!current && base != null) {
          requestCatchUp(board, season, local);
        }
        if (next != null && base != null) {
          grown(next.size() - base.size());
        }
      }
    };
  }

  /** A season that no line has touched needs no loading: it is empty. */
  private @Nullable RankSnapshot startEmpty(Board board, LocalSeason local) {
    UserDictionary dictionary = users.ifLoaded(board.tenant());
    return dictionary == null
        ? null
        : local.startEmpty(RankSnapshot.empty(board.order(), board.ties(), dictionary), epoch);
  }

  @Override
  public void catchUp(Board board, Season season) {
    LocalSeason local = season(season.id());
    synchronized (local.catchUpLock) {
      while (true) {
        RankSnapshot reached = readOn(board, season, local);
        if (local.install(reached, store.read(tx -> tx.position(season.id())))) {
          trim(local);
          return;
        }
      }
    }
  }

  /** One step on one snapshot of the store: from where the season stands to where the store is. */
  private RankSnapshot readOn(Board board, Season season, LocalSeason local) {
    return store.read(
        tx -> {
          // In this transaction, so that everyone whom the entries name is known.
          UserDictionary dictionary = users.follow(tx, board.tenant());
          long position = tx.position(season.id());
          epoch = tx.epoch();
          RankSnapshot base = local.base(epoch);
          if (base != null
              && base.line() <= position
              // Behind by more lines than it has entries, a season is built faster than replayed.
              && position - base.line() <= Math.max(base.size(), 10_000)
              && tx.firstLine(board.shard()) <= base.line() + 1) {
            return base.line() == position ? base : replay(tx, board, season, base, position);
          }
          loads.incrementAndGet();
          RankSnapshot.Builder builder =
              RankSnapshot.builder(board.order(), board.ties(), dictionary);
          tx.entries(season.id(), builder::add);
          local.startEpoch(epoch);
          return builder.build(position);
        });
  }

  private static RankSnapshot replay(
      ReadTransaction tx, Board board, Season season, RankSnapshot base, long position) {
    int[] changed = tx.changedUsers(board.shard(), board.id(), base.line(), position);
    List<@Nullable Entry> entries = tx.entries(season.id(), changed);
    RankSnapshot.Editor editor = base.edit();
    for (int i = 0; i < changed.length; i++) {
      Entry entry = entries.get(i);
      if (entry == null || entry.deleted()) {
        editor.remove(changed[i]);
      } else {
        editor.put(changed[i], entry.score(), entry.reached(), entry.metadata() != null);
      }
    }
    return editor.build(position);
  }

  private static RankSnapshot apply(RankSnapshot base, long to, List<Change> changes) {
    RankSnapshot.Editor editor = base.edit();
    for (Change change : changes) {
      if (change.present()) {
        editor.put(change.user(), change.score(), change.reached(), change.hasMetadata());
      } else {
        editor.remove(change.user());
      }
    }
    return editor.build(to);
  }

  private void requestCatchUp(Board board, Season season, LocalSeason local) {
    if (local.claimCatchUp()) {
      follower.execute(
          () -> {
            local.releaseCatchUp();
            try {
              catchUp(board, season);
            } catch (RuntimeException e) {
              onFailure.accept(e);
            }
          });
    }
  }

  /** Looks at the budget again once the seasons have grown by a part of it. */
  private void grown(long entries) {
    if (entries > 0
        && growth.addAndGet(entries) * BYTES_PER_ENTRY > budgetBytes / 64
        && growth.getAndSet(0) > 0) {
      follower.execute(() -> trim(null));
    }
  }

  /** Unloads the seasons that were used least recently until the rest fits the budget. */
  private void trim(@Nullable LocalSeason keep) {
    LocalSeason[] all = seasons.values().toArray(LocalSeason[]::new);
    long bytes = 0;
    for (LocalSeason season : all) {
      bytes += season.size() * BYTES_PER_ENTRY;
    }
    if (bytes <= budgetBytes) {
      return;
    }
    Arrays.sort(all, (a, b) -> Long.compare(a.lastUsed(), b.lastUsed()));
    for (LocalSeason season : all) {
      if (bytes <= budgetBytes) {
        return;
      }
      if (season != keep) {
        bytes -= season.size() * BYTES_PER_ENTRY;
        season.unload();
      }
    }
  }

  private LocalSeason season(long id) {
    LocalSeason season = seasons.get(id);
    return season != null ? season : seasons.computeIfAbsent(id, i -> new LocalSeason());
  }

  @Override
  public long loads() {
    return loads.get();
  }

  /** Does not count as a use. */
  @Override
  public long size(Season season) {
    LocalSeason local = seasons.get(season.id());
    return local == null ? 0 : local.size();
  }

  @Override
  public long size() {
    long size = 0;
    for (LocalSeason season : seasons.values()) {
      size += season.size();
    }
    return size;
  }

  @Override
  public void close() {
    follower.shutdownNow();
  }
}
