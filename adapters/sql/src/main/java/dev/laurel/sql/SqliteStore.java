package dev.laurel.sql;

import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Opens the store that needs no server: one SQLite file in a folder that one process owns. */
public final class SqliteStore {
  /** More would not help: SQLite has one writer for all of them. */
  private static final int SHARDS = 1;

  private SqliteStore() {}

  /**
   * Opens the folder's store, or makes both.
   *
   * @throws dev.laurel.core.store.StoreException if another process has it, or it cannot be opened
   */
  public static Store open(Path folder, InstantSource clock) {
    return open(folder, clock, null, false);
  }

  /**
   * The same with a chained ledger.
   *
   * @param key null for none
   * @param chainAnew whether the chain begins anew if the ledger is chained with another key
   */
  public static Store open(
      Path folder, InstantSource clock, @Nullable LedgerKey key, boolean chainAnew) {
    return open(folder, clock, key, chainAnew, false);
  }

  /**
   * The same, for a file of before that is to shrink.
   *
   * @param rewrite whether such a file is rewritten first, however large it is
   */
  public static Store open(
      Path folder,
      InstantSource clock,
      @Nullable LedgerKey key,
      boolean chainAnew,
      boolean rewrite) {
    FolderLock lock = FolderLock.take(folder);
    try {
      return SqlStore.open(new SqliteDialect(folder, clock, lock, rewrite), SHARDS, key, chainAnew);
    } catch (Throwable e) {
      lock.release();
      throw e;
    }
  }
}
