package dev.laurel.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class FairSharesTest {
  private static int takeAll(FairShares shares, long tenant) {
    int taken = 0;
    while (shares.take(tenant, 1)) {
      taken++;
    }
    return taken;
  }

  @Test
  void take_oneTenantAlone_leavesSomeToWhoeverComes() {
    FairShares shares = new FairShares(900);
    assertThat(takeAll(shares, 1)).isBetween(795, 805);
    assertThat(takeAll(shares, 2)).isBetween(85, 95);
    // What the first gives back goes to those who have less.
    for (int i = 0; i < 400; i++) {
      shares.give(1, 1);
    }
    assertThat(shares.take(1, 1)).isTrue();
    assertThat(takeAll(shares, 3)).isGreaterThan(100);
  }

  @Test
  void take_moreThanThereIs_isTakenIfNobodyElseHasAny() {
    FairShares shares = new FairShares(10);
    assertThat(shares.take(1, 100)).isTrue();
    assertThat(shares.take(2, 1)).isFalse();
    shares.give(1, 100);
    assertThat(shares.used()).isZero();
    assertThat(shares.take(2, 1)).isTrue();
  }

  @Test
  void give_byMoreTenantsThanAreRemembered_forgetsThoseWhoHaveNothing() {
    FairShares shares = new FairShares(100_000);
    for (long tenant = 0; tenant < 1000; tenant++) {
      assertThat(shares.take(tenant, 2)).isTrue();
    }
    for (long tenant = 0; tenant < 1000; tenant++) {
      shares.give(tenant, 1);
    }
    assertThat(shares.tenants()).isEqualTo(1000);
    for (long tenant = 0; tenant < 1000; tenant++) {
      shares.give(tenant, 1);
    }
    assertThat(shares.tenants()).isLessThanOrEqualTo(64);
    assertThat(shares.used()).isZero();
  }

  @Test
  void takeAndGive_onSeveralThreads_loseNothingOfWhatATenantHas() throws Exception {
    int threads = 4;
    FairShares shares = new FairShares(1_000_000);
    // So many that tenants are forgotten and met again all the time.
    List<Callable<Boolean>> all = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      all.add(
          () -> {
            boolean fits = true;
            for (int i = 0; i < 50_000; i++) {
              long tenant = i % 70;
              fits &= shares.take(tenant, 3);
              shares.give(tenant, 1);
              shares.give(tenant, 2);
            }
            return fits;
          });
    }
    for (long tenant = 1000; tenant < 1100; tenant++) {
      assertThat(shares.take(tenant, 1)).isTrue();
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (Future<Boolean> done : pool.invokeAll(all)) {
        assertThat(done.get()).isTrue();
      }
    }
    assertThat(shares.used()).isEqualTo(100);
    assertThat(shares.tenants()).isEqualTo(100);
    // What is left of somebody who has nothing would be missing here.
    assertThat(shares.take(1, 800_000)).isTrue();
    assertThat(shares.take(2, 800_000)).isFalse();
  }
}
