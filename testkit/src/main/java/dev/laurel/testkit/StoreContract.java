package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.store.Store;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link Store} must do. To test one: extend this, and say how to open it. The cases are
 * in the interfaces, one subject each.
 */
@ExtendWith(Seeds.class)
public abstract class StoreContract
    implements TransactionCases,
        LedgerCases,
        EntryCases,
        IdCases,
        ConfigurationCases,
        AccessCases,
        OutboxCases,
        ArchiveCases,
        PodCases,
        PruneCases,
        UserCases,
        RankCases {

  @TempDir protected Path folder = Path.of("");

  private @Nullable Store store;

  /** Opens the store of this folder; it is new if the folder is empty. */
  protected abstract Store open(Path folder);

  @BeforeEach
  void openStore() {
    store = open(folder);
  }

  /** Whatever a case did, the store must still answer after it. */
  @AfterEach
  void checkAndCloseStore() {
    try (Store used = store()) {
      used.check();
      assertThat(tenants()).isNotEmpty();
    } finally {
      store = null;
    }
  }

  @Override
  public final Store store() {
    Store opened = store;
    if (opened == null) {
      throw new IllegalStateException("the store is opened before each case");
    }
    return opened;
  }

  @Override
  public final Store reopen() {
    store().close();
    Store opened = open(folder);
    store = opened;
    return opened;
  }
}
