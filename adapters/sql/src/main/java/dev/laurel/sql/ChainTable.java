package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.LedgerChain;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the shards' chains stand: the head with the shard, checkpoints beside it. */
final class ChainTable {
  private static final String MOVE = "UPDATE shards SET line = ? WHERE shard = ?";
  private static final String HEAD =
      "SELECT shard, line, chained_from, head, mac FROM shards WHERE shard = ?";
  private static final String MOVE_HEAD =
      "UPDATE shards SET line = ?, chained_from = ?, head = ?, mac = ? WHERE shard = ?";
  private static final String CHECKPOINTS =
      "SELECT shard, line, digest, mac FROM ledger_checkpoints WHERE shard = ? ORDER BY line";
  private static final String ADD =
      "INSERT INTO ledger_checkpoints (shard, line, digest, mac) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT (shard, line) DO NOTHING";
  private static final String REMOVE =
      "DELETE FROM ledger_checkpoints WHERE shard = ? AND line < ?";
  private static final String CLEAR = "DELETE FROM ledger_checkpoints WHERE shard = ?";

  private final Statements statements;
  private final @Nullable LedgerChain chain;

  ChainTable(Statements statements, @Nullable LedgerKey key) {
    this.statements = statements;
    this.chain = key == null ? null : new LedgerChain(key);
  }

  @Nullable LedgerHead head(int shard) throws SQLException {
    if (chain == null) {
      return null;
    }
    List<LedgerHead> heads = statements.list(ChainTable::head, HEAD, shard);
    if (heads.isEmpty()) {
      throw new StoreException("shard: " + shard + " (expected: a stored shard)");
    }
    return heads.getFirst();
  }

  /** What somebody has removed is no reason to fail: it is no genuine head. */
  private static LedgerHead head(ResultSet row) throws SQLException {
    String digest = row.getString(4);
    String mac = row.getString(5);
    return new LedgerHead(
        row.getInt(1),
        row.getLong(2),
        row.getLong(3),
        digest == null ? "" : digest,
        mac == null ? "" : mac);
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
      move(head);
    }
  }

  /** Moves the shard to the last of the lines, and its chain if it has one. */
  int move(int shard, @Nullable LedgerHead head, List<LedgerLine> lines) throws SQLException {
    if (chain == null || head == null) {
      return statements.update(MOVE, lines.getLast().line(), shard);
    }
    LedgerHead next = chain.append(head, lines);
    if (next.line() / LedgerChain.STRETCH != head.line() / LedgerChain.STRETCH) {
      add(chain.checkpoint(shard, next.line(), next.digest()));
    }
    return move(next);
  }

  private int move(LedgerHead head) throws SQLException {
    return statements.update(
        MOVE_HEAD, head.line(), head.from(), head.digest(), head.mac(), head.shard());
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
    move(chain.from(head, last));
  }

  LedgerLine erase(LedgerLine line) {
    return chain == null ? line.erased(null) : chain.erase(line);
  }
}
