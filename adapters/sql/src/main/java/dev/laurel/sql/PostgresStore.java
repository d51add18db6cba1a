package dev.laurel.sql;

import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.time.TimeJudge;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Opens the store that several nodes share. */
public final class PostgresStore {
  /** Commits of different shards do not wait for each other, on whatever node. */
  private static final int SHARDS = 64;

  private PostgresStore() {}

  /** Where the database is, for people: without a user, a password or parameters. */
  public static String describe(String url) {
    return PostgresAddress.of(url, null, null).toString();
  }

  /**
   * Opens the database's store, or makes one in it.
   *
   * @param url {@code jdbc:postgresql://host,host/name} or {@code postgresql://user:password@host/}
   * @param user null if the URL says it
   * @param password null if the URL says it, or there is none
   * @param clock null for the database's own, which all nodes share; tests may turn another
   * @throws IllegalArgumentException for another kind of URL
   * @throws dev.laurel.core.store.StoreException if it cannot be opened
   */
  public static Store open(
      String url, @Nullable String user, @Nullable String password, @Nullable InstantSource clock) {
    return open(url, user, password, clock, TimeJudge.BELIEVING, null, false);
  }

  /**
   * The same with a chained ledger, and a clock that is not believed blindly.
   *
   * @param judge tells whether to believe the clock
   * @param key null for none; all nodes have the same
   * @param chainAnew whether the chain begins anew if the ledger is chained with another key
   */
  public static Store open(
      String url,
      @Nullable String user,
      @Nullable String password,
      @Nullable InstantSource clock,
      TimeJudge judge,
      @Nullable LedgerKey key,
      boolean chainAnew) {
    PostgresDialect dialect =
        new PostgresDialect(PostgresAddress.of(url, user, password), clock, judge);
    try {
      return SqlStore.open(dialect, SHARDS, key, chainAnew);
    } catch (Throwable e) {
      dialect.release();
      throw e;
    }
  }
}
