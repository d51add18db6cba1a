package dev.laurel.core.access;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WriteTransaction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * API keys and tenants, in memory as the store has them. Authentication never blocks. Thread-safe.
 *
 * <p>A key is looked up by its SHA-256, so the time a look-up takes says nothing about how much of
 * a guess was right, and the whole hash is compared in constant time on top of that.
 */
public final class Keys implements RememberedStore.Part {
  public static final int MIN_ADMIN_KEY_LENGTH = 16;

  /** Beyond the tenant of the key. */
  private static final Set<ApiKey.Scope> OF_THE_PLATFORM =
      Set.of(ApiKey.Scope.ADMIN, ApiKey.Scope.METRICS);

  private static final String ADMIN = "admin";
  private static final String BY_SETTING = "setting";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final ThreadLocal<@Nullable Recent> RECENT = new ThreadLocal<>();
  private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Keys::sha256);

  private final Store store;
  private final InstantSource clock;
  private volatile InForce active = new InForce(Map.of());
  private volatile Map<String, Tenant> tenants = Map.of();

  /**
   * The key that a thread saw last: most requests of an event loop bring the same one, and a hash a
   * request is a twentieth of a rank read. Worth nothing once another set of keys is in force.
   */
  private record Recent(InForce inForce, String secret, Principal principal) {}

  /** All keys in force between two changes; compared by identity. */
  private static final class InForce {
    final Map<String, Active> byHash;
    final Set<Long> numbers;

    InForce(Map<String, Active> byHash) {
      this.byHash = byHash;
      this.numbers =
          byHash.values().stream()
              .map(known -> known.key.id())
              .collect(Collectors.toUnmodifiableSet());
    }
  }

  private record Active(byte[] hash, ApiKey key, Principal principal) {}

  public Keys(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    follow();
  }

  /** A key that was just made; the only time it is seen. */
  public record Created(ApiKey key, String secret) {}

  /**
   * Takes over what others changed. One at a time: a look at the store from before a revocation
   * must not be published after it.
   */
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
    Map<String, Tenant> byName = new HashMap<>();
    Map<Long, Tenant> byNumber = new HashMap<>();
    for (Tenant tenant : tx.tenants()) {
      byName.put(tenant.tenantId(), tenant);
      byNumber.put(tenant.id(), tenant);
    }
    Map<String, Active> byHash = new HashMap<>();
    for (ApiKey key : tx.keys()) {
      Tenant tenant = byNumber.get(key.tenant());
      if (key.revokedAt() == null && tenant != null) {
        Principal principal =
            new Principal(key.id(), key.name(), key.tenant(), tenant.tenantId(), key.scopes());
        byHash.put(
            key.hash(), new Active(key.hash().getBytes(StandardCharsets.US_ASCII), key, principal));
      }
    }
    tenants = byName;
    active = new InForce(byHash);
  }

  /** Null if no key in force is this one. */
  public @Nullable Principal authenticate(String secret) {
    InForce inForce = active;
    Recent recent = RECENT.get();
    if (recent != null && recent.inForce == inForce && isSame(recent.secret, secret)) {
      return recent.principal;
    }
    Principal principal = lookUp(inForce, secret);
    if (principal != null) {
      RECENT.set(new Recent(inForce, secret, principal));
    }
    return principal;
  }

  /** In a time that depends on the lengths only. */
  private static boolean isSame(String known, String given) {
    if (known.length() != given.length()) {
      return false;
    }
    int difference = 0;
    for (int i = 0; i < known.length(); i++) {
      difference |= known.charAt(i) ^ given.charAt(i);
    }
    return difference == 0;
  }

  private static @Nullable Principal lookUp(InForce inForce, String secret) {
    String hash = hash(secret);
    Active found = inForce.byHash.get(hash);
    return found != null
            && MessageDigest.isEqual(found.hash, hash.getBytes(StandardCharsets.US_ASCII))
        ? found.principal
        : null;
  }

  /** The platform admin acting for a tenant; null if there is no such tenant. */
  public @Nullable Principal actingFor(Principal admin, String tenantId) {
    Tenant tenant = tenants.get(tenantId);
    return tenant == null
        ? null
        : new Principal(admin.number(), admin.name(), tenant.id(), tenantId, admin.scopes());
  }

  /** Whether a key is not revoked. */
  public boolean isInForce(long number) {
    return active.numbers.contains(number);
  }

  /** The public name of a tenant, for labels; its number if it is unknown. */
  public String tenantName(long id) {
    for (Tenant tenant : tenants.values()) {
      if (tenant.id() == id) {
        return tenant.tenantId();
      }
    }
    return Long.toString(id);
  }

  public @Nullable Tenant tenant(String tenantId) {
    return tenants.get(tenantId);
  }

  /**
   * Makes sure that there is an admin key. A given one is put in force, also one that was revoked
   * before (an older one of the same origin is revoked); without one, a key is made if there is
   * none in force.
   *
   * @return the key that was made, to be shown once; null if none was
   */
  public @Nullable String ensureAdmin(@Nullable String given) {
    if (given != null) {
      if (given.length() < MIN_ADMIN_KEY_LENGTH) {
        throw new IllegalArgumentException(
            "admin-key: "
                + given.length()
                + " characters (expected: at least "
                + MIN_ADMIN_KEY_LENGTH
                + ")");
      }
      Principal known = authenticate(given);
      if (known == null || !known.scopes().contains(ApiKey.Scope.ADMIN)) {
        store.write(tx -> putInForce(tx, given));
        follow();
      }
      return null;
    }
    if (active.byHash.values().stream().anyMatch(known -> isAdmin(known.key))) {
      return null;
    }
    String secret = newSecret();
    boolean made =
        store.write(
            tx -> {
              // Another node may start at the same moment: only a key that is stored is shown.
              tx.lockShard(0);
              if (tx.keys().stream().anyMatch(Keys::isAdmin)) {
                return false;
              }
              tx.createKey(newKey(secret, ADMIN, Tenant.DEFAULT, adminScopes(), "first start"));
              return true;
            });
    follow();
    return made ? secret : null;
  }

  /** The operator's key, instead of the one that the operator gave before. */
  private boolean putInForce(WriteTransaction tx, String given) {
    tx.lockShard(0); // Other nodes may start at the same moment.
    String hash = hash(given);
    ApiKey known = null;
    for (ApiKey key : tx.keys()) {
      if (key.hash().equals(hash)) {
        known = key;
      } else if (isAdmin(key) && key.createdBy().equals(BY_SETTING)) {
        tx.revokeKey(key.id(), clock.millis());
      }
    }
    if (known == null) {
      tx.createKey(newKey(given, ADMIN, Tenant.DEFAULT, adminScopes(), BY_SETTING));
    } else if (known.scopes().contains(ApiKey.Scope.ADMIN)) {
      tx.reinstateKey(known.id());
    } else {
      throw new IllegalArgumentException(
          "admin-key: a key of a tenant, without the scope admin (expected: another one)");
    }
    return true;
  }

  /** One that is in force. */
  private static boolean isAdmin(ApiKey key) {
    return key.revokedAt() == null && key.scopes().contains(ApiKey.Scope.ADMIN);
  }

  /** Only the platform admin sees and touches the platform admin's keys. */
  private static boolean isWithin(Principal caller, ApiKey key) {
    return key.tenant() == caller.tenant()
        && (caller.scopes().contains(ApiKey.Scope.ADMIN)
            || !key.scopes().contains(ApiKey.Scope.ADMIN));
  }

  private static Set<ApiKey.Scope> adminScopes() {
    return Set.of(ApiKey.Scope.ADMIN);
  }

  /**
   * A new key of the caller's tenant.
   *
   * @param answer writes the answer; it is called twice, for the caller with the secret and for the
   *     record that an idempotency key keeps without it, because a key is shown once and never
   *     stored
   */
  public OnceOnly.Answer create(
      Principal caller,
      String name,
      Set<ApiKey.Scope> scopes,
      OnceOnly.@Nullable Key key,
      BiFunction<ApiKey, @Nullable String, byte[]> answer) {
    caller.requireLasting("keys");
    for (ApiKey.Scope scope : scopes) {
      if (OF_THE_PLATFORM.contains(scope) && !caller.scopes().contains(ApiKey.Scope.ADMIN)) {
        throw Rejection.expectation(
                ErrorCode.FORBIDDEN,
                "scopes",
                scope.name().toLowerCase(Locale.ROOT),
                "only the platform admin gives it")
            .asException();
      }
    }
    String secret = newSecret();
    ApiKey[] created = new ApiKey[1];
    OnceOnly.Answer kept =
        OnceOnly.run(
            store,
            key,
            clock.millis(),
            tx -> {
              created[0] =
                  tx.createKey(newKey(secret, name, caller.tenant(), scopes, caller.name()));
              return answer.apply(created[0], null);
            });
    follow();
    return kept.replayed() ? kept : new OnceOnly.Answer(answer.apply(created[0], secret), false);
  }

  private ApiKey newKey(
      String secret, String name, long tenant, Set<ApiKey.Scope> scopes, String createdBy) {
    return new ApiKey(
        0,
        tenant,
        name,
        scopes,
        secret.substring(0, Math.min(11, secret.length() / 4)),
        hash(secret),
        createdBy,
        clock.millis(),
        null);
  }

  /** The keys of the caller's tenant, revoked ones included. Blocks. */
  public List<ApiKey> list(Principal caller) {
    return store.read(tx -> tx.keys().stream().filter(key -> isWithin(caller, key)).toList());
  }

  /** Takes a key of the caller's tenant out of force. Blocks. The answer has no body. */
  public OnceOnly.Answer revoke(Principal caller, long id, OnceOnly.@Nullable Key once) {
    OnceOnly.Answer answer =
        OnceOnly.run(
            store,
            once,
            clock.millis(),
            tx -> {
              // One at a time: two admins who revoke each other would leave nobody.
              tx.lockShard(0);
              List<ApiKey> all = tx.keys();
              ApiKey key =
                  all.stream()
                      .filter(k -> k.id() == id && isWithin(caller, k) && k.revokedAt() == null)
                      .findFirst()
                      .orElseThrow(
                          () ->
                              Rejection.expectation(
                                      ErrorCode.KEY_NOT_FOUND, "keyId", id, "a key in force")
                                  .asException());
              if (isAdmin(key) && all.stream().filter(Keys::isAdmin).count() == 1) {
                throw Rejection.expectation(
                        ErrorCode.LAST_ADMIN_KEY, "keyId", id, "another admin key in force")
                    .asException();
              }
              tx.revokeKey(key.id(), clock.millis());
              return new byte[0];
            });
    follow();
    return answer;
  }

  /** 192 random bits: nobody guesses it, and it says what it is when it turns up in a log. */
  private static String newSecret() {
    byte[] bytes = new byte[24];
    RANDOM.nextBytes(bytes);
    return "laurel_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String hash(String secret) {
    return HexFormat.of().formatHex(SHA_256.get().digest(secret.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
