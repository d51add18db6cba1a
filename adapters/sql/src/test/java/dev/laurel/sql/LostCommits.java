package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A database that sometimes does not tell what became of a commit. */
final class LostCommits implements Dialect {
  private final Dialect dialect;
  private boolean lose;
  private boolean reallyCommit;

  LostCommits(Dialect dialect) {
    this.dialect = dialect;
  }

  void loseNext(boolean committed) {
    lose = true;
    reallyCommit = committed;
  }

  @Override
  public Connection connect(Role role) throws SQLException {
    Connection real = dialect.connect(role);
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) -> call(real, method, args));
  }

  private @Nullable Object call(Connection real, Method method, @Nullable Object[] args)
      throws Throwable {
    if (lose && method.getName().equals("commit")) {
      lose = false;
      if (reallyCommit) {
        real.commit();
      }
      throw new SQLiteException("lost", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    }
    try {
      return method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public Duration longestRead() {
    return dialect.longestRead();
  }

  @Override
  public int connections(Role role) {
    return dialect.connections(role);
  }

  @Override
  public boolean pinsVirtualThreads() {
    return dialect.pinsVirtualThreads();
  }

  @Override
  public void migrate() {
    dialect.migrate();
  }

  @Override
  public String rowLock() {
    return dialect.rowLock();
  }

  @Override
  public int lanes() {
    return dialect.lanes();
  }

  @Override
  public boolean isShared() {
    return dialect.isShared();
  }

  @Override
  public boolean sharesParameters() {
    return dialect.sharesParameters();
  }

  @Override
  public boolean isAlive(Connection connection) {
    return dialect.isAlive(connection);
  }

  @Override
  public Statements statements(Connection connection) {
    return dialect.statements(connection);
  }

  @Override
  public Entries entries(Statements statements) {
    return dialect.entries(statements);
  }

  @Override
  public String contains(String column) {
    return dialect.contains(column);
  }

  @Override
  public String epoch() {
    return dialect.epoch();
  }

  @Override
  public long now(Statements statements) throws SQLException {
    return dialect.now(statements);
  }

  @Override
  public void committed() {
    dialect.committed();
  }

  @Override
  public void awaitHint(Duration atMost) throws InterruptedException {
    dialect.awaitHint(atMost);
  }

  @Override
  public StoreException failure(String doing, SQLException cause) {
    return dialect.failure(doing, cause);
  }

  @Override
  public StoreException commitFailure(SQLException cause) {
    return dialect.commitFailure(cause);
  }

  @Override
  public void closing(Connection last) throws SQLException {
    dialect.closing(last);
  }

  @Override
  public void release() {
    dialect.release();
  }
}
