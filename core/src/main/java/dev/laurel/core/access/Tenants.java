package dev.laurel.core.access;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes and lists tenants. Blocking. Thread-safe. */
public final class Tenants {
  private final Store store;
  private final Keys keys;
  private final InstantSource clock;

  public Tenants(Store store, Keys keys, InstantSource clock) {
    this.store = store;
    this.keys = keys;
    this.clock = clock;
  }

  public OnceOnly.Answer create(
      String tenantId, String name, OnceOnly.@Nullable Key key, Function<Tenant, byte[]> answer) {
    requireId(tenantId);
    OnceOnly.Answer made =
        OnceOnly.run(
            store,
            key,
            clock.millis(),
            tx -> {
              // One at a time, so that the look and the write are about the same tenants.
              tx.lockShard(0);
              if (tx.tenants().stream().anyMatch(t -> t.tenantId().equals(tenantId))) {
                throw Rejection.expectation(
                        ErrorCode.TENANT_EXISTS, "tenantId", tenantId, "one that is not taken")
                    .asException();
              }
              return answer.apply(tx.createTenant(tenantId, name, clock.millis()));
            });
    keys.follow();
    return made;
  }

  private static void requireId(String id) {
    boolean ok =
        !id.isEmpty()
            && id.length() <= 64
            && id.chars()
                .allMatch(
                    c ->
                        (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '_'
                            || c == '-');
    if (!ok) {
      throw Rejection.invalid("tenantId", id, "1..64 of letters, digits and _ -").asException();
    }
  }

  public List<Tenant> list() {
    return store.read(tx -> tx.tenants());
  }
}
