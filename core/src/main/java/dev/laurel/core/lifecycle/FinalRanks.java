package dev.laurel.core.lifecycle;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.SeasonEvents;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.RankSnapshot;
import dev.laurel.core.rank.SeasonLoad;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.FinalDraft;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.WriteTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the final ranks of frozen seasons, with their prizes, in chunks: a season of millions does
 * not hold up commits, and after a crash the next run goes on where the last chunk ended. The last
 * chunk and the word that prizes are ready are one transaction. Thread-safe.
 */
public final class FinalRanks {
  private static final int CHUNK = 2000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Store store;
  private final BoardDirectory directory;
  private final Boards boards;
  private final Users users;
  private final SeasonEvents events;
  private final OneByOne<Long> each;

  /**
   * @param each goes through seasons
   */
  public FinalRanks(
      Store store,
      BoardDirectory directory,
      Boards boards,
      Users users,
      SeasonEvents events,
      OneByOne<Long> each) {
    this.store = store;
    this.directory = directory;
    this.boards = boards;
    this.users = users;
    this.events = events;
    this.each = each;
  }

  /**
   * Writes what is missing of every season that is frozen; one that fails is tried again later.
   * Blocks.
   *
   * @param stop asked between chunks
   */
  public void writeAll(BooleanSupplier stop) {
    for (Board board : directory.all()) {
      for (Season season : board.seasons()) {
        if (season.status() == SeasonStatus.FROZEN && !stop.getAsBoolean()) {
          each.run(season.id(), () -> write(board, season, stop));
        }
      }
    }
  }

  private void write(Board board, Season season, BooleanSupplier stop) {
    FinalDraft draft = null;
    while (draft == null && !stop.getAsBoolean()) {
      draft = store.write(tx -> begin(tx, board, season));
    }
    if (draft != null) {
      write(board, season, draft, stop);
    }
    boards.follow();
  }

  private void write(Board board, Season season, FinalDraft draft, BooleanSupplier stop) {
    long entries = store.read(tx -> tx.ranks().count(season.id()));
    try (IndexMemory.Beside room = users.memory().tryBeside(entries, PATIENCE)) {
      if (room == null) {
        return; // others have the memory: its turn comes again
      }
      // Its own, and whole: the index may be behind, or hold only the best.
      RankSnapshot ranking =
          store.read(
              Store.Reading.LONG,
              tx -> SeasonLoad.all(tx, board, season.id(), users.follow(tx, board.tenant())));
      boolean done = false;
      while (!done && !stop.getAsBoolean()) {
        done = writeChunk(board, season, draft, ranking);
      }
    }
  }

  /** The list to write or to continue; null if some of another one are still to be removed. */
  private static @Nullable FinalDraft begin(WriteTransaction tx, Board board, Season season) {
    tx.lockShard(board.shard());
    return tx.removeOutdatedRanks(season.id(), tx.lastErasure(board.tenant()), CHUNK)
        ? tx.finalDraft(season.id())
        : null;
  }

  /**
   * True when there is nothing left to write, whoever wrote it; also if it has to begin anew, with
   * what a revert, an edit or an erasure left: then the season's turn comes again.
   */
  private boolean writeChunk(Board board, Season season, FinalDraft draft, RankSnapshot ranking) {
    return store.write(
        tx -> {
          tx.lockShard(board.shard());
          Season now = tx.season(season.id());
          if (now == null
              || now.status() != SeasonStatus.FROZEN
              || !draft.equals(tx.finalDraft(season.id()))
              || draft.names() != tx.lastErasure(board.tenant())
              || tx.position(season.id()) != ranking.line()) {
            return true;
          }
          long from = tx.finalCount(season.id());
          List<PrizeTier> tiers = tx.prizes(season.id());
          tx.appendFinalRanks(season.id(), chunk(board, ranking, now, from, tiers));
          if (from + CHUNK < ranking.size()) {
            return false;
          }
          Season written = now.withStatus(SeasonStatus.FINAL);
          // What was given is not taken back by moving the end.
          Season done = tiers.isEmpty() || ranking.size() == 0 ? written : written.settle();
          tx.updateSeason(done);
          if (!tiers.isEmpty()) {
            events.happened(tx, board, done, SeasonEvent.PRIZES_READY);
          }
          return true;
        });
  }

  /** Everybody gets a rank, so that it can be told for ever; prizes are for those with a place. */
  private static List<FinalRank> chunk(
      Board board, RankSnapshot ranking, Season season, long from, List<PrizeTier> tiers) {
    long places =
        season.capacity() == 0 ? ranking.size() : Math.min(season.capacity(), ranking.size());
    List<FinalRank> ranks = new ArrayList<>(CHUNK);
    ranking.page(
        from,
        CHUNK,
        (rank, user, score, reached) -> {
          long position = from + ranks.size();
          // A share is one of people, and dense ranks do not count them.
          long place = board.ties() == Ties.DENSE ? ranking.better(score) + 1 : rank;
          int prize = position < places ? PrizeTier.of(tiers, rank, place, places) : PrizeTier.NONE;
          ranks.add(new FinalRank(user, position, rank, score, reached, prize));
        });
    return ranks;
  }
}
