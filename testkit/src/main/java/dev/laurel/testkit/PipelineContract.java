package dev.laurel.testkit;

import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the path of a score promises, on any store: exact, once, durable, visible. To test it on
 * one: extend this, and say how to open it. The cases are in the interfaces, one subject each.
 */
@ExtendWith(Seeds.class)
public abstract class PipelineContract
    implements LinkCases,
        LaneCases,
        AfterCommitCases,
        GuardCases,
        OnceCases,
        SourceCases,
        ChangeCases,
        FailureCases,
        FollowerCases,
        CheckCases,
        SeasonCases,
        BoundsCases,
        EditCases,
        CapacityCases,
        ErasureCases,
        FinalCases,
        PrizeCases,
        ClockCases,
        PrunedCases,
        GrowthCases {
  @TempDir protected Path folder = Path.of("");

  private final ManualClock clock = new ManualClock();
  private @Nullable FaultyStore store;
  private @Nullable Harness harness;

  protected abstract Store open(Path folder, InstantSource clock);

  /** The index to test with; the local one if a test does not say. */
  protected Harness.IndexSource indexes() {
    return LocalRankIndex::new;
  }

  @BeforeEach
  void start() {
    FaultyStore opened = new FaultyStore(open(folder, clock));
    store = opened;
    harness = node(1 << 16);
  }

  @AfterEach
  void stop() {
    harness().close();
    store().close();
  }

  @Override
  public final void restart() {
    stop();
    start();
  }

  @Override
  public final Harness node(int queueLines) {
    return new Harness(store(), clock, queueLines, indexes());
  }

  @Override
  public final Harness node(FaultyIndex faults) {
    return new Harness(store(), clock, 1 << 16, faults.over(indexes()));
  }

  @Override
  public final void replace(Harness next) {
    harness().close();
    harness = next;
  }

  @Override
  public final FaultyStore store() {
    return opened(store);
  }

  @Override
  public final Harness harness() {
    return opened(harness);
  }

  @Override
  public final ManualClock clock() {
    return clock;
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("it is opened before each case");
    }
    return part;
  }
}
