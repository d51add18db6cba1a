package dev.laurel.testkit;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WriteTransaction;
import java.util.List;
import java.util.function.Consumer;

/** What the cases of the contract work on, and short words for what they do often. */
interface StoreCases {
  /** The store under test; empty when a case begins. */
  Store store();

  /** Closes it, and opens what it left behind. */
  Store reopen();

  /** Closes it, and opens what it left behind with this key. */
  Store openWith(LedgerKey key, boolean chainAnew);

  /** Runs a statement as somebody would who can write to the database, and is not the server. */
  void behindItsBack(String sql);

  default void write(Consumer<WriteTransaction> work) {
    store()
        .write(
            tx -> {
              work.accept(tx);
              return true;
            });
  }

  default List<Board> boardsSince(long revision) {
    return store().read(tx -> tx.boardsSince(revision));
  }

  default List<Tenant> tenants() {
    return store().read(tx -> tx.tenants());
  }

  default List<ApiKey> keys() {
    return store().read(tx -> tx.keys());
  }

  default long revision() {
    return store().read(tx -> tx.revision());
  }

  /** All up to a number, now. */
  default KnownUsers known(int last) {
    return new KnownUsers(store().read(tx -> tx.epoch()), last);
  }

  default long position(long season) {
    return store().read(tx -> tx.position(season));
  }

  default long count(long season) {
    return store().read(tx -> tx.ranks().count(season));
  }

  default long lastLine(int shard) {
    return store().write(tx -> tx.lockShard(shard));
  }

  default List<LedgerLine> lines(int shard, long after, long upTo, int limit) {
    return store().read(tx -> tx.lines(shard, after, upTo, limit));
  }
}
