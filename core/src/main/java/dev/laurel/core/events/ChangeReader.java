package dev.laurel.core.events;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.KnownBoards;
import dev.laurel.core.board.LineSeasons;
import dev.laurel.core.guard.Features;
import dev.laurel.core.guard.History;
import dev.laurel.core.guard.Recent;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.rank.Users;
import dev.laurel.core.store.ReadTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes of a ledger's lines, which are numbers, what others understand. Belongs to one thread. */
final class ChangeReader {
  private static final int KEPT = 10_000;

  private final BoardDirectory directory;
  private final Users users;

  /** By board and user; only used if it ends where the next line goes on. */
  private final Recent<String, History> histories = new Recent<>(KEPT);

  private long epoch;

  ChangeReader(BoardDirectory directory, Users users) {
    this.directory = directory;
    this.users = users;
  }

  /** The next changes of a shard after a line, in their order. */
  List<Change> read(ReadTransaction tx, int shard, long after, int limit) {
    KnownBoards boards = directory.follow(tx);
    if (boards.epoch() != epoch) {
      epoch = boards.epoch();
      histories.clear();
    }
    List<LedgerLine> lines = tx.lines(shard, after, Long.MAX_VALUE, limit);
    List<Change> changes = new ArrayList<>(lines.size());
    Map<Long, String> tenants = new HashMap<>();
    LineSeasons seasons = new LineSeasons(tx);
    for (LedgerLine line : lines) {
      Board board = boards.find(line.board());
      if (board == null) {
        throw new IllegalStateException("board: " + line.board() + " (expected: a stored board)");
      }
      changes.add(
          new Change(
              line,
              board,
              tenants.computeIfAbsent(board.tenant(), tx::tenantId),
              userId(tx, board.tenant(), line.user()),
              seasons.of(line),
              Change.isAward(line) ? features(tx, line) : null));
    }
    return changes;
  }

  /** From the user's lines before it: whenever it is asked for, the same. */
  private Features features(ReadTransaction tx, LedgerLine line) {
    String key = line.board() + "/" + line.user();
    History history = histories.get(key);
    if (history == null || history.last() != line.previous()) {
      history = History.before(tx, line.shard(), line.previous());
      histories.put(key, history);
    }
    Features features = history.features(line.mode(), line.value(), line.at(), 0, 0);
    history.add(line);
    return features;
  }

  private String userId(ReadTransaction tx, long tenant, int user) {
    UserDictionary dictionary = users.ifLoaded(tenant);
    if (dictionary == null || dictionary.size() < user) {
      dictionary = users.follow(tx, tenant);
    }
    return dictionary.id(user);
  }
}
