package dev.laurel.core.access;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens are accepted, in memory as the store has them: a token's tenant is found by its
 * issuer and audience, so no pair may belong to two. Finding never blocks. Thread-safe.
 */
public final class Issuers implements RememberedStore.Part {
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
    private final Map<Long, Set<String>> prefixes;

    private InForce(Map<Pair, Issuer> byPair, Map<Long, String> tenantNames) {
      this.byPair = byPair;
      this.tenantNames = tenantNames;
      this.prefixes =
          byPair.values().stream()
              .filter(i -> !i.userPrefix().isEmpty())
              .collect(
                  Collectors.groupingBy(
                      Issuer::tenant,
                      Collectors.mapping(Issuer::userPrefix, Collectors.toUnmodifiableSet())));
    }

    /**
     * Whose a token is. It may carry the audiences of several tenants: then it is for the tenant
     * that the call names, else for the one that was set up first. So nothing that a tenant sets up
     * later takes another's tokens away, or makes them worthless.
     *
     * @param tenantId the tenant that the call names
     */
    public @Nullable Issuer find(
        String issuer, Collection<String> audiences, @Nullable String tenantId) {
      Issuer found = null;
      boolean named = false;
      for (String audience : audiences) {
        Issuer next = byPair.get(new Pair(issuer, audience));
        if (next == null) {
          continue;
        }
        boolean nextNamed = tenantId != null && tenantId.equals(tenantNames.get(next.tenant()));
        if (found == null || (named == nextNamed ? next.id() < found.id() : nextNamed)) {
          found = next;
          named = nextNamed;
        }
      }
      return found;
    }

    /** The user that a subject is here; null if it would be the user of another issuer. */
    public @Nullable String userId(Issuer issuer, String subject) {
      String userId = issuer.userPrefix() + subject;
      for (String other : prefixes.getOrDefault(issuer.tenant(), Set.of())) {
        if (!other.equals(issuer.userPrefix()) && userId.startsWith(other)) {
          return null;
        }
      }
      return userId;
    }

    public Collection<Issuer> all() {
      return byPair.values();
    }

    /**
     * The bearer of one of its tokens.
     *
     * @param userId by {@link #userId}
     * @param until when the token is good no more
     */
    public Principal principal(Issuer issuer, String userId, Set<ApiKey.Scope> scopes, long until) {
      String tenantId = tenantNames.getOrDefault(issuer.tenant(), "");
      return new Principal(
          Callers.ofIssuer(issuer.issuer()),
          userId,
          issuer.tenant(),
          tenantId,
          scopes,
          userId,
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
          take(tx);
          return true;
        });
  }

  @Override
  public synchronized void enter(ReadTransaction tx) {
    take(tx);
  }

  private void take(ReadTransaction tx) {
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
  }

  private static Pair pair(Issuer issuer) {
    return new Pair(issuer.issuer(), issuer.audience());
  }

  public InForce inForce() {
    return inForce;
  }

  /**
   * Stores a new one of a tenant; its id, prefix and time are not looked at. Blocks.
   *
   * @param userPrefix null for the default: the first issuer of a tenant says who users are, and
   *     each other one has users of its own
   */
  public OnceOnly.Answer create(
      Issuer wanted,
      @Nullable String userPrefix,
      OnceOnly.@Nullable Key key,
      Function<Issuer, byte[]> answer) {
    if (userPrefix != null) {
      UserPrefixes.requireWellFormed(userPrefix);
    }
    OnceOnly.Answer made =
        OnceOnly.run(
            store,
            key,
            clock.millis(),
            tx -> {
              // One at a time, so that the look and the write are about the same issuers.
              tx.lockShard(0);
              List<Issuer> stored = new ArrayList<>(tx.issuers());
              if (configured != null) {
                stored.add(configured);
              }
              requireNew(wanted, stored);
              List<Issuer> ofTenant =
                  stored.stream().filter(i -> i.tenant() == wanted.tenant()).toList();
              String prefix =
                  userPrefix == null ? UserPrefixes.byDefault(wanted, ofTenant) : userPrefix;
              UserPrefixes.require(prefix, ofTenant);
              return answer.apply(
                  tx.createIssuer(
                      new Issuer(
                          0,
                          wanted.tenant(),
                          wanted.issuer(),
                          wanted.audience(),
                          wanted.jwksUrl(),
                          wanted.keys(),
                          wanted.algorithms(),
                          prefix,
                          clock.millis())));
            });
    follow();
    return made;
  }

  private static void requireNew(Issuer wanted, List<Issuer> all) {
    if (all.stream().anyMatch(i -> pair(i).equals(pair(wanted)))) {
      throw Rejection.expectation(
              ErrorCode.ISSUER_EXISTS,
              "issuer",
              wanted.issuer(),
              "a pair of issuer and audience that is not taken")
          .asException();
    }
    if (all.stream().filter(i -> i.tenant() == wanted.tenant() && i.id() != 0).count()
        >= MAX_OF_A_TENANT) {
      throw Rejection.of(
              ErrorCode.TOO_MANY_ISSUERS,
              "issuers: one more (expected: at most " + MAX_OF_A_TENANT + " a tenant)")
          .asException();
    }
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
