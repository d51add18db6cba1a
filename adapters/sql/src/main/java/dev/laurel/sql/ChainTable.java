package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.LedgerChain;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.LedgerKey;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the shards' chains stand: the head with the shard, checkpoints beside it. */
final class ChainTable {
  private static final String CHECKPOINTS =
      "SELECT shard, line, digest, mac FROM ledger_checkpoints WHERE shard = ? ORDER BY line";
  private static final String ADD =
      "INSERT INTO ledger_checkpoints (shard, line, digest, mac) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT (shard, line) DO NOTHING";
  private static final String REMOVE =
      "DELETE FROM ledger_checkpoints WHERE shard = ? AND line < ?";
  private static final String CLEAR = "DELETE FROM ledger_checkpoints WHERE shard = ?";

  private final Statements statements;
  private final Positions positions;
  private final @Nullable LedgerChain chain;

  ChainTable(Statements statements, Positions positions, @Nullable LedgerKey key) {
    this.statements = statements;
    this.positions = positions;
    this.chain = key == null ? null : new LedgerChain(key);
  }

  @Nullable LedgerHead head(int shard) throws SQLException {
    return chain == null ? null : positions.head(shard);
  }

  List<LedgerCheckpoint> checkpoints(int shard) throws SQLException {
    return statements.list(
        row ->
            new LedgerCheckpoint(row.getInt(1), row.getLong(2), row.getString(3), row.getString(4)),
        CHECKPOINTS,
        shard);
  }

  void begin(int shard, long line) throws SQLException {
    if (chain != null) {
      statements.update(CLEAR, shard);
      LedgerHead head = chain.begin(shard, line);
      add(chain.checkpoint(shard, line, head.digest()));
      positions.move(head);
    }
  }

  /** Moves the shard to the last of the lines, and its chain if it has one. */
  int move(int shard, @Nullable LedgerHead head, List<LedgerLine> lines) throws SQLException {
    if (chain == null || head == null) {
      return positions.move(shard, lines.getLast().line());
    }
    LedgerHead next = chain.append(head, lines);
    if (next.line() / LedgerChain.STRETCH != head.line() / LedgerChain.STRETCH) {
      add(chain.checkpoint(shard, next.line(), next.digest()));
    }
    return positions.move(next);
  }

  private void add(LedgerCheckpoint checkpoint) throws SQLException {
    statements.update(
        ADD, checkpoint.shard(), checkpoint.line(), checkpoint.digest(), checkpoint.mac());
  }

  /** The chain begins after these lines, the shard's first. */
  void cut(int shard, List<LedgerLine> lines) throws SQLException {
    LedgerHead head = head(shard);
    long last = lines.getLast().line();
    List<LedgerCheckpoint> checkpoints = checkpoints(shard);
    if (chain == null || head == null || checkpoints.isEmpty() || last <= head.from()) {
      return;
    }
    LedgerCheckpoint first = checkpoints.getFirst();
    List<LedgerLine> chained = lines.stream().filter(l -> l.line() > first.line()).toList();
    // What was changed is not made good by cutting it off.
    boolean genuine = chain.isGenuine(first) && first.line() == head.from();
    String digest = chain.after(genuine ? first.digest() : "00".repeat(32), first.line(), chained);
    add(chain.checkpoint(shard, last, digest));
    statements.update(REMOVE, shard, last);
    positions.move(chain.from(head, last));
  }

  LedgerLine erase(LedgerLine line) {
    return chain == null ? line.erased(null) : chain.erase(line);
  }
}
