package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import dev.laurel.core.time.Moment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A database whose driver fails in chosen calls: of a connection, or of a prepared statement. */
final class FaultyDriver implements Dialect {
  private final Dialect dialect;
  private final Map<String, Fault> next = new ConcurrentHashMap<>();

  private record Fault(boolean afterwards, Throwable failure) {}

  FaultyDriver(Dialect dialect) {
    this.dialect = dialect;
  }

  /** The next commit does not tell what became of it. */
  void loseNext(boolean committed) {
    failNext("commit", committed, new SQLiteException("lost", SQLiteErrorCode.SQLITE_IOERR_FSYNC));
  }

  /**
   * The next call of a method fails, and only that.
   *
   * @param afterwards whether the call is made all the same
   */
  void failNext(String method, boolean afterwards, Throwable failure) {
    next.put(method, new Fault(afterwards, failure));
  }

  /** Whether all calls that were to fail have failed. */
  boolean hasFailed() {
    return next.isEmpty();
  }

  @Override
  public Connection connect(Role role) throws SQLException {
    return faulty(Connection.class, dialect.connect(role));
  }

  private <T> T faulty(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyDriver.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> call(real, method, args)));
  }

  private @Nullable Object call(Object real, Method method, @Nullable Object[] args)
      throws Throwable {
    Fault fault = next.remove(method.getName());
    if (fault != null && !fault.afterwards) {
      throw fault.failure;
    }
    Object result;
    try {
      result = method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (fault != null) {
      throw fault.failure;
    }
    return result instanceof PreparedStatement statement
        ? faulty(PreparedStatement.class, statement)
        : result;
  }

  @Override
  public boolean isLoose(Statements statements) throws SQLException {
    return dialect.isLoose(statements);
  }

  @Override
  public void tighten(Statements statements) throws SQLException {
    dialect.tighten(statements);
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
  public Positions positions(Statements statements) {
    return dialect.positions(statements);
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
  public String state() {
    return dialect.state();
  }

  @Override
  public Moment moment(Statements statements) throws SQLException {
    return dialect.moment(statements);
  }

  @Override
  public void committed() {
    dialect.committed();
    Fault fault = next.remove("hint");
    if (fault != null) {
      throw new IllegalStateException(fault.failure);
    }
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
