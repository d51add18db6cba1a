package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.store.LedgerKey;
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
        ChainCases,
        ProfileCases,
        UserCases,
        RankCases {

  @TempDir protected Path folder = Path.of("");

  private @Nullable Store store;

  /** Opens the store of this folder; it is new if the folder is empty. */
  protected final Store open(Path folder) {
    return open(folder, Samples.KEY, false);
  }

  protected abstract Store open(Path folder, LedgerKey key, boolean chainAnew);

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
  public final Store openWith(LedgerKey key, boolean chainAnew) {
    store().close();
    Store opened = open(folder, key, chainAnew);
    store = opened;
    return opened;
  }

  @Override
  public final Store reopen() {
    return openWith(Samples.KEY, false);
  }
}
