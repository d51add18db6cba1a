package dev.laurel.core.access;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens are accepted, in memory as the store has them: a token's tenant is found by its
 * issuer and audience, so no pair may belong to two. Finding never blocks. Thread-safe.
 */
public final class Issuers {
  private static final int MAX_OF_A_TENANT = 32;

  private final Store store;
  private final InstantSource clock;
  private final @Nullable Issuer configured;
  private volatile InForce inForce = new InForce(Map.of(), Map.of());

  private record Pair(String issuer, String audience) {}

  /** All issuers between two changes of the configuration; compared by identity. */
  public static final class InForce {
    private final Map<Pair, Issuer> byPair;
    private final Map<Long, String> tenantNames;

    private InForce(Map<Pair, Issuer> byPair, Map<Long, String> tenantNames) {
      this.byPair = byPair;
      this.tenantNames = tenantNames;
    }

    public @Nullable Issuer find(String issuer, String audience) {
      return byPair.get(new Pair(issuer, audience));
    }

    public Collection<Issuer> all() {
      return byPair.values();
    }

    /**
     * The bearer of one of its tokens.
     *
     * @param until when the token is good no more
     */
    public Principal principal(
        Issuer issuer, String subject, Set<ApiKey.Scope> scopes, long until) {
      String tenantId = tenantNames.getOrDefault(issuer.tenant(), "");
      return new Principal(
          Callers.ofIssuer(issuer.issuer()),
          subject,
          issuer.tenant(),
          tenantId,
          scopes,
          subject,
          until);
    }
  }

  /**
   * @param configured the issuer that the settings name, for the default tenant; it wins over a
   *     stored one
   */
  public Issuers(Store store, InstantSource clock, @Nullable Issuer configured) {
    this.store = store;
    this.clock = clock;
    this.configured = configured;
    follow();
  }

  /** Takes over what others changed; see {@link Keys#follow}. */
  public synchronized void follow() {
    store.read(
        tx -> {
          Map<Pair, Issuer> byPair = new HashMap<>();
          for (Issuer issuer : tx.issuers()) {
            byPair.put(pair(issuer), issuer);
          }
          if (configured != null) {
            byPair.put(pair(configured), configured);
          }
          Map<Long, String> names = new HashMap<>();
          for (Tenant tenant : tx.tenants()) {
            names.put(tenant.id(), tenant.tenantId());
          }
          inForce = new InForce(byPair, names);
          return true;
        });
  }

  private static Pair pair(Issuer issuer) {
    return new Pair(issuer.issuer(), issuer.audience());
  }

  public InForce inForce() {
    return inForce;
  }

  /** Stores a new one of a tenant; its id and time are not looked at. Blocks. */
  public OnceOnly.Answer create(
      Issuer wanted, OnceOnly.@Nullable Key key, Function<Issuer, byte[]> answer) {
    Issuer issuer =
        new Issuer(
            0,
            wanted.tenant(),
            wanted.issuer(),
            wanted.audience(),
            wanted.jwksUrl(),
            wanted.keys(),
            wanted.algorithms(),
            clock.millis());
    OnceOnly.Answer made =
        OnceOnly.run(
            store,
            key,
            clock.millis(),
            tx -> {
              // One at a time, so that the look and the write are about the same issuers.
              tx.lockShard(0);
              List<Issuer> stored = tx.issuers();
              if (stored.stream().anyMatch(i -> pair(i).equals(pair(issuer)))
                  || (configured != null && pair(configured).equals(pair(issuer)))) {
                throw Rejection.expectation(
                        ErrorCode.ISSUER_EXISTS,
                        "issuer",
                        issuer.issuer(),
                        "a pair of issuer and audience that is not taken")
                    .asException();
              }
              if (stored.stream().filter(i -> i.tenant() == issuer.tenant()).count()
                  >= MAX_OF_A_TENANT) {
                throw Rejection.of(
                        ErrorCode.TOO_MANY_ISSUERS,
                        "issuers: one more (expected: at most " + MAX_OF_A_TENANT + " a tenant)")
                    .asException();
              }
              return answer.apply(tx.createIssuer(issuer));
            });
    follow();
    return made;
  }

  /** Those of a tenant that are stored. Blocks. */
  public List<Issuer> list(long tenant) {
    return store.read(tx -> tx.issuers().stream().filter(i -> i.tenant() == tenant).toList());
  }

  /** Blocks. The answer has no body. */
  public OnceOnly.Answer delete(long tenant, long id, OnceOnly.@Nullable Key key) {
    OnceOnly.Answer answer =
        OnceOnly.run(
            store,
            key,
            clock.millis(),
            tx -> {
              if (tx.issuers().stream().noneMatch(i -> i.id() == id && i.tenant() == tenant)) {
                throw Rejection.expectation(
                        ErrorCode.ISSUER_NOT_FOUND, "issuerId", id, "an issuer of this tenant")
                    .asException();
              }
              tx.deleteIssuer(id);
              return new byte[0];
            });
    follow();
    return answer;
  }
}
