package dev.laurel.core.award;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredRules;
import dev.laurel.core.store.StoredSecret;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules and switches of all tenants, in memory as the store has them. Points come from here and
 * nowhere else. Asking for a price never blocks. Thread-safe.
 */
public final class Awards implements RememberedStore.Part {
  private final Store store;
  private final InstantSource clock;
  private final Receipts receipts;
  private final boolean enabled;
  private final Function<String, AwardRules> reader;
  private final @Nullable RulesKey key;
  private final Consumer<String> onRefused;
  private volatile Map<Long, OfTenant> tenants = Map.of();

  /**
   * What is in force in a tenant.
   *
   * @param stored null if there are none, or none that may be used
   * @param off switched off; the empty action stands for all
   */
  public record OfTenant(
      @Nullable AwardRules rules, @Nullable StoredRules stored, Set<String> off) {
    static final OfTenant NOTHING = new OfTenant(null, null, Set.of());
  }

  /** What an action is worth, by which rules, and how often in a day. */
  public record Price(long points, long version, int limit) {}

  /**
   * @param enabled false to refuse every award, whatever the store says
   * @param reader reads a document of rules; throws RejectedException if it is none
   * @param key whose signature rules must have; null to ask for none
   * @param onRefused hears of stored rules that are not used, and why
   */
  public Awards(
      Store store,
      InstantSource clock,
      boolean enabled,
      Function<String, AwardRules> reader,
      @Nullable RulesKey key,
      Consumer<String> onRefused) {
    this.store = store;
    this.clock = clock;
    this.receipts = new Receipts(StoredSecret.of(store, "receipt"));
    this.enabled = enabled;
    this.reader = reader;
    this.key = key;
    this.onRefused = onRefused;
    follow();
  }

  /** Takes over what others changed. */
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
    Map<Long, OfTenant> next = new HashMap<>();
    for (StoredRules stored : tx.awardRules()) {
      OfTenant known = tenants.get(stored.tenant());
      AwardRules rules = known != null && stored.equals(known.stored) ? known.rules : read(stored);
      next.put(stored.tenant(), new OfTenant(rules, stored, Set.of()));
    }
    for (AwardSwitch off : tx.awardSwitches()) {
      OfTenant before = next.getOrDefault(off.tenant(), OfTenant.NOTHING);
      Set<String> all = new TreeSet<>(before.off);
      all.add(off.action());
      next.put(off.tenant(), new OfTenant(before.rules, before.stored, all));
    }
    tenants = next;
  }

  /** Null if they are not to be trusted: then there are none. */
  private @Nullable AwardRules read(StoredRules stored) {
    if (key != null && !key.isSigned(stored.body(), stored.signature())) {
      onRefused.accept(
          "rules " + stored.version() + ": not signed by award-rules-key (expected: signed)");
      return null;
    }
    try {
      return reader.apply(stored.body());
    } catch (RejectedException e) {
      // Checked when they were stored; a later Laurel may be stricter.
      onRefused.accept("rules " + stored.version() + ": " + e.getMessage());
      return null;
    }
  }

  /** The key that a tenant's server signs receipts with. */
  public String receiptKey(long tenant, int version) {
    return receipts.key(tenant, version);
  }

  /** What can stop all awards of a tenant. */
  public enum Stop {
    /** The setting of this node. */
    SETTING,
    /** The tenant's switch, on every node. */
    SWITCH
  }

  /**
   * What stops all awards at this node; empty if nothing does.
   *
   * @param off what is switched off in the tenant
   */
  public Set<Stop> stopped(Set<String> off) {
    Set<Stop> stops = EnumSet.noneOf(Stop.class);
    if (!enabled) {
      stops.add(Stop.SETTING);
    }
    if (off.contains("")) {
      stops.add(Stop.SWITCH);
    }
    return stops;
  }

  /** Whether the rules let users of the tenant have points on a board. */
  public boolean isAwardedOn(long tenant, String board) {
    AwardRules rules = of(tenant).rules;
    return rules != null && rules.boards().contains(board);
  }

  public OfTenant of(long tenant) {
    return tenants.getOrDefault(tenant, OfTenant.NOTHING);
  }

  /**
   * What an action is worth on a board.
   *
   * @param receipt looked at only where the rules ask for one
   * @throws dev.laurel.core.model.RejectedException if it is worth nothing
   */
  public Price price(long tenant, String board, Receipts.Action done, @Nullable String receipt) {
    String action = done.type();
    OfTenant here = of(tenant);
    AwardRules rules = here.rules;
    Integer points = rules == null ? null : rules.points().get(action);
    if (rules == null || points == null) {
      throw Rejection.expectation(
              ErrorCode.UNKNOWN_ACTION, "action_type", action, "an action that the rules name")
          .asException();
    }
    if (!stopped(here.off).isEmpty()) {
      throw Rejection.of(
              ErrorCode.AWARDS_DISABLED, "awards: switched off (expected: try again later)")
          .asException();
    }
    if (rules.disabled().contains(action) || here.off.contains(action)) {
      throw Rejection.expectation(
              ErrorCode.ACTION_DISABLED, "action_type", action, "an action that is not disabled")
          .asException();
    }
    if (!rules.boards().contains(board)) {
      throw Rejection.expectation(
              ErrorCode.BOARD_NOT_FOUND, "board", board, "a board that the rules name")
          .asException();
    }
    if (rules.receipts().contains(action)) {
      String problem = receipts.problem(tenant, rules.receiptKey(), done, receipt, clock.millis());
      if (problem != null) {
        throw Rejection.expectation(
                ErrorCode.RECEIPT_INVALID,
                "receipt",
                problem,
                "one of the tenant's server for this user and action")
            .asException();
      }
    }
    return new Price(points, rules.version(), rules.limit(action));
  }

  /**
   * Puts rules in force, on every node. Giving those in force again changes nothing. Blocks.
   *
   * @param signature in base64; null if there is none
   */
  public OnceOnly.Answer put(
      long tenant,
      String body,
      @Nullable String signature,
      String createdBy,
      OnceOnly.@Nullable Key once,
      Function<OfTenant, byte[]> answer) {
    AwardRules rules = reader.apply(body);
    if (key != null && !key.isSigned(body, signature)) {
      throw Rejection.of(
              ErrorCode.SIGNATURE_INVALID,
              "signature: missing or wrong (expected: one of the rules by award-rules-key)")
          .asException();
    }
    StoredRules wanted =
        new StoredRules(tenant, rules.version(), body, signature, createdBy, clock.millis());
    OnceOnly.Answer made =
        OnceOnly.run(
            store,
            once,
            clock.millis(),
            tx -> {
              // One at a time, so that versions only grow.
              tx.lockShard(0);
              StoredRules newest =
                  tx.awardRules().stream()
                      .filter(r -> r.tenant() == tenant)
                      .findFirst()
                      .orElse(null);
              boolean same =
                  newest != null
                      && newest.version() == wanted.version()
                      && newest.body().equals(body);
              if (newest != null && !same && newest.version() >= wanted.version()) {
                throw Rejection.expectation(
                        ErrorCode.RULES_OUTDATED,
                        "version",
                        wanted.version(),
                        "above " + newest.version())
                    .asException();
              }
              if (!same) {
                tx.putAwardRules(wanted);
              }
              StoredRules now = same ? newest : wanted;
              return answer.apply(new OfTenant(rules, now, of(tenant).off));
            });
    follow();
    return made;
  }

  /**
   * Switches an action, or all awards of a tenant, off or on. Blocks.
   *
   * @param action empty for all
   */
  public OnceOnly.Answer change(
      long tenant,
      String action,
      boolean on,
      OnceOnly.@Nullable Key once,
      Function<Set<String>, byte[]> answer) {
    OnceOnly.Answer made =
        OnceOnly.run(
            store,
            once,
            clock.millis(),
            tx -> {
              tx.switchAwards(new AwardSwitch(tenant, action), !on);
              Set<String> off = new TreeSet<>();
              for (AwardSwitch each : tx.awardSwitches()) {
                if (each.tenant() == tenant) {
                  off.add(each.action());
                }
              }
              return answer.apply(off);
            });
    follow();
    return made;
  }
}
