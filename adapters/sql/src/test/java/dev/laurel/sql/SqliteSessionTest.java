package dev.laurel.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.store.CommitUnknownException;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.testkit.ManualClock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a transaction that failed leaves behind, whatever else fails on the way: nothing. */
final class SqliteSessionTest {
  @TempDir private Path folder = Path.of("");
  private FaultyDriver driver;
  private Store store;

  @BeforeEach
  void open() {
    driver =
        new FaultyDriver(
            new SqliteDialect(folder, new ManualClock(), FolderLock.take(folder), false));
    store = SqlStore.open(driver, 1, null, false);
    // So that statements are prepared, whose batches are cleared after a failure.
    store.write(tx -> create(tx, "first"));
    assertThat(tenants()).containsExactly("default", "first");
  }

  @AfterEach
  void close() {
    assertThat(driver.hasFailed()).as("the call that was to fail was made").isTrue();
    store.close();
  }

  static Stream<Arguments> faults() {
    return Stream.of("clearBatch", "rollback")
        .flatMap(
            method ->
                Stream.<Named<Supplier<Throwable>>>of(
                        Named.of("an error", () -> new InternalError("told to fail")),
                        Named.of("an exception", () -> new IllegalStateException("told to fail")),
                        Named.of("the driver's", () -> new SQLException("told to fail")))
                    .map(fault -> Arguments.of(method, fault)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void write_whoseRollbackFails_isNotCommittedWithTheNext(
      String method, Supplier<Throwable> fault) {
    driver.failNext(method, false, fault.get());
    assertThatThrownBy(
            () ->
                store.write(
                    tx -> {
                      create(tx, "half");
                      throw new Told();
                    }))
        .isInstanceOf(Told.class);
    store.write(tx -> create(tx, "next"));
    assertThat(tenants()).containsExactly("default", "first", "next");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void read_whoseRollbackFails_answersAndSoDoesTheNext(String method, Supplier<Throwable> fault) {
    driver.failNext(method, false, fault.get());
    assertThatThrownBy(
            () ->
                store.read(
                    tx -> {
                      throw new Told();
                    }))
        .isInstanceOf(Told.class);
    assertThat(tenants()).containsExactly("default", "first");
    store.write(tx -> create(tx, "next"));
    assertThat(tenants()).containsExactly("default", "first", "next");
  }

  @Test
  void write_whoseConnectionCannotBeClosed_locksNobodyOut() {
    driver.failNext("rollback", false, new InternalError("told to fail"));
    driver.failNext("close", false, new InternalError("told to fail"));
    assertThatThrownBy(
            () ->
                store.write(
                    tx -> {
                      create(tx, "half");
                      throw new Told();
                    }))
        .isInstanceOf(Told.class);
    store.write(tx -> create(tx, "next"));
    assertThat(tenants()).containsExactly("default", "first", "next");
  }

  @Test
  void commit_thatEndsInAnError_isUnknownAndWhatTheDatabaseSays() {
    driver.failNext("commit", true, new InternalError("told to fail"));
    assertThatThrownBy(() -> store.write(tx -> create(tx, "committed")))
        .isInstanceOf(CommitUnknownException.class);
    driver.failNext("commit", false, new InternalError("told to fail"));
    assertThatThrownBy(() -> store.write(tx -> create(tx, "not")))
        .isInstanceOf(CommitUnknownException.class);
    store.write(tx -> create(tx, "next"));
    assertThat(tenants()).containsExactly("default", "first", "committed", "next");
  }

  @Test
  void write_thatNobodyCanBeToldOf_isDone() {
    driver.failNext("hint", true, new IllegalStateException("told to fail"));
    store.write(tx -> create(tx, "next"));
    assertThat(tenants()).containsExactly("default", "first", "next");
  }

  /** A work must not go on after an error in the middle of a call, and so it is not committed. */
  @Test
  void write_thatCaughtAnError_isNotCommitted() {
    driver.failNext("executeQuery", false, new InternalError("told to fail"));
    assertThatThrownBy(
            () ->
                store.write(
                    tx -> {
                      try {
                        create(tx, "half");
                      } catch (InternalError e) {
                        // as if nothing had happened
                      }
                      return true;
                    }))
        .isInstanceOf(RuntimeException.class);
    assertThat(tenants()).containsExactly("default", "first");
  }

  private static boolean create(WriteTransaction tx, String name) {
    tx.createTenant(name, name, 0);
    return true;
  }

  private List<String> tenants() {
    return store.read(tx -> tx.tenants().stream().map(Tenant::tenantId).toList());
  }

  private static final class Told extends RuntimeException {}
}
