package dev.laurel.core.access;

import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.AllowedOrigin;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose pages may read tenants' answers, in memory as the store has it. Asking never blocks.
 * Thread-safe.
 */
public final class Origins implements RememberedStore.Part {
  /** Most of a tenant. */
  public static final int MOST = 50;

  private static final String EVERYBODY = "*";
  private static final int MAX_LENGTH = 256;
  private static final Pattern ORIGIN =
      Pattern.compile(
          "[a-z][a-z0-9+.-]*://([a-z0-9-]+(\\.[a-z0-9-]+)*|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

  private final Store store;
  private final InstantSource clock;
  private volatile InForce inForce = new InForce(Map.of(), Map.of(), Set.of());

  private record InForce(
      Map<Long, Set<String>> byTenant, Map<String, Long> tenants, Set<String> all) {}

  public Origins(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    follow();
  }

  /** Takes over what others changed; see {@link Keys#follow}. */
  public synchronized void follow() {
    store.read(
        tx -> {
          take(tx);
          return true;
        });
  }

  @Override
  public synchronized void enter(ReadTransaction tx) {
    take(tx);
  }

  private void take(ReadTransaction tx) {
    Map<Long, Set<String>> byTenant = new HashMap<>();
    Set<String> all = new HashSet<>();
    for (AllowedOrigin allowed : tx.origins()) {
      byTenant.computeIfAbsent(allowed.tenant(), _ -> new HashSet<>()).add(allowed.origin());
      all.add(allowed.origin());
    }
    Map<String, Long> tenants = new HashMap<>();
    for (Tenant tenant : tx.tenants()) {
      tenants.put(tenant.tenantId(), tenant.id());
    }
    inForce = new InForce(byTenant, tenants, all);
  }

  public boolean allows(long tenant, String origin) {
    return isIn(inForce.byTenant.getOrDefault(tenant, Set.of()), origin);
  }

  /** False if there is no such tenant. */
  public boolean allows(String tenantId, String origin) {
    Long tenant = inForce.tenants.get(tenantId);
    return tenant != null && allows(tenant, origin);
  }

  /** Whether one tenant does, whichever. */
  public boolean anyAllows(String origin) {
    return isIn(inForce.all, origin);
  }

  private static boolean isIn(Set<String> allowed, String origin) {
    return allowed.contains(origin) || allowed.contains(EVERYBODY);
  }

  /** Those of a tenant. Blocks. */
  public SortedSet<String> list(long tenant) {
    SortedSet<String> origins = new TreeSet<>();
    for (AllowedOrigin allowed : store.read(tx -> tx.origins())) {
      if (allowed.tenant() == tenant) {
        origins.add(allowed.origin());
      }
    }
    return origins;
  }

  /** Replaces those of a tenant. Blocks. */
  public OnceOnly.Answer replace(
      long tenant,
      List<String> origins,
      OnceOnly.@Nullable Key key,
      Function<SortedSet<String>, byte[]> answer) {
    SortedSet<String> wanted = new TreeSet<>(origins);
    for (String origin : wanted) {
      if (!origin.equals(EVERYBODY)
          && (origin.length() > MAX_LENGTH || !ORIGIN.matcher(origin).matches())) {
        throw Rejection.invalid(
                "origins", origin, "* or an origin such as https://game.example, in small letters")
            .asException();
      }
    }
    OnceOnly.Answer made =
        OnceOnly.run(
            store,
            key,
            clock.millis(),
            tx -> {
              tx.setOrigins(tenant, wanted);
              return answer.apply(wanted);
            });
    follow();
    return made;
  }
}
