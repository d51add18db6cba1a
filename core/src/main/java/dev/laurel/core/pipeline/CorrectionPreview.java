package dev.laurel.core.pipeline;

import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.store.ReadTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What corrections would do: decided by the very steps of a commit, on one state of the store, and
 * then forgotten.
 *
 * @param seasons how each would change
 * @param lines how many the ledger would get
 * @param taken the commands that would not be refused
 * @param refused why the others would be
 */
public record CorrectionPreview(
    List<Moved> seasons, int lines, List<Command.Correct> taken, List<Rejection> refused) {
  /** The entries of one season that would be others. */
  public record Moved(Season season, List<RankIndex.Change> changes) {}

  public static CorrectionPreview of(
      ReadTransaction tx,
      Board board,
      List<Command.Correct> commands,
      UserDictionary users,
      long now) {
    Map<Integer, Long> last = Map.of(board.shard(), tx.lastLines()[board.shard()]);
    BatchEntries entries = new BatchEntries(tx);
    BatchLedger ledger = new BatchLedger(tx, entries, last, now, 0);
    BatchCorrections corrections =
        new BatchCorrections(tx, ledger, entries, new LineSeasons(tx), now);
    List<Command.Correct> taken = new ArrayList<>();
    List<Rejection> refused = new ArrayList<>();
    Request nobodys = new Request(board, List.copyOf(commands), 0, false, null);
    for (Command.Correct command : commands) {
      if (corrections.correct(board, command, users.find(command.userId()), nobodys).outcome()
          instanceof Outcome.Rejected(var rejection)) {
        refused.add(rejection);
      } else {
        taken.add(command);
      }
    }
    List<Moved> moved = new ArrayList<>();
    for (BatchEntries.Move move : entries.moves()) {
      moved.add(new Moved(move.season(), move.changes()));
    }
    return new CorrectionPreview(moved, ledger.lineCount(), taken, refused);
  }
}
