package dev.laurel.testkit;

import static dev.laurel.core.store.Issuer.Algorithm.RS256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.store.AllowedOrigin;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.ApiKey.Scope;
import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.Issuer.Algorithm;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoredRules;
import dev.laurel.core.store.Tenant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tenants, their keys and issuers, their rules of awards. */
interface AccessCases extends StoreCases {
  @Test
  default void tenants_newStore_hasTheDefaultOne() {
    assertThat(tenants())
        .singleElement()
        .satisfies(
            tenant -> {
              assertThat(tenant.id()).isEqualTo(Tenant.DEFAULT);
              assertThat(tenant.tenantId()).isEqualTo("default");
            });
  }

  @Test
  default void createTenant_new_isListedWithANewRevision() {
    long before = revision();
    Tenant acme = store().write(tx -> tx.createTenant("acme", "Acme \u00e9", 5));
    assertThat(acme).isEqualTo(new Tenant(acme.id(), "acme", "Acme \u00e9", 5));
    assertThat(tenants()).hasSize(2).last().isEqualTo(acme);
    assertThat(revision()).isGreaterThan(before);
  }

  @Test
  default void createTenant_existing_isRefused() {
    assertThatThrownBy(() -> store().write(tx -> tx.createTenant("default", "x", 1)))
        .isInstanceOf(StoreException.class);
    assertThat(tenants()).hasSize(1);
  }

  @Test
  default void createKey_everyField_comesBack() {
    long before = revision();
    ApiKey all = store().write(tx -> tx.createKey(key("h1", Set.of(Scope.values()), null)));
    ApiKey none = store().write(tx -> tx.createKey(key("h2", Set.of(), 9L)));
    assertThat(all.id()).isPositive().isNotEqualTo(none.id());
    assertThat(all)
        .usingRecursiveComparison()
        .ignoringFields("id")
        .isEqualTo(key("h1", Set.of(Scope.values()), null));
    assertThat(keys()).containsExactly(all, none);
    assertThat(revision()).isGreaterThan(before);
  }

  @Test
  default void createKey_hashTakenOrTenantUnknown_isRefused() {
    store().write(tx -> tx.createKey(key("h1", Set.of(Scope.READ), null)));
    assertThatThrownBy(() -> store().write(tx -> tx.createKey(key("h1", Set.of(), null))))
        .isInstanceOf(StoreException.class);
    ApiKey foreign = new ApiKey(0, 99, "k", Set.of(), "la_", "h2", "me", 1, null);
    assertThatThrownBy(() -> store().write(tx -> tx.createKey(foreign)))
        .isInstanceOf(StoreException.class);
    assertThat(keys()).hasSize(1);
  }

  @Test
  default void revokeKey_twice_keepsTheFirstTime() {
    ApiKey key = store().write(tx -> tx.createKey(key("h1", Set.of(Scope.READ), null)));
    long before = revision();
    revoke(key.id(), 50);
    revoke(key.id(), 60);
    assertThat(keys().getFirst().revokedAt()).isEqualTo(50);
    assertThat(revision()).isGreaterThan(before);
  }

  @Test
  default void reinstateKey_revoked_isInForceAgain() {
    ApiKey key = store().write(tx -> tx.createKey(key("h1", Set.of(Scope.READ), null)));
    revoke(key.id(), 50);
    long before = revision();
    write(
        tx -> {
          tx.reinstateKey(key.id());
        });
    assertThat(keys()).containsExactly(key);
    assertThat(revision()).isGreaterThan(before);
  }

  @Test
  default void revokeKey_unknown_isRejected() {
    assertThatThrownBy(() -> revoke(99, 1))
        .isInstanceOfSatisfying(
            RejectedException.class,
            e -> assertThat(e.rejection().code()).isEqualTo(ErrorCode.KEY_NOT_FOUND));
  }

  @Test
  default void issuers_everyField_comeBackUntilTheyAreDeleted() {
    long before = revision();
    Issuer all = new Issuer(0, Tenant.DEFAULT, "i", "a", "https://x/", null, Set.of(RS256), "", 7);
    Issuer given =
        new Issuer(0, Tenant.DEFAULT, "i", "b", null, "{}", Set.of(Algorithm.values()), "p:", 8);
    Issuer first = store().write(tx -> tx.createIssuer(all));
    Issuer second = store().write(tx -> tx.createIssuer(given));
    assertThat(issuers())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("id")
        .containsExactly(all, given);
    assertThat(issuers()).containsExactly(first, second);
    assertThatThrownBy(() -> store().write(tx -> tx.createIssuer(all)))
        .isInstanceOf(StoreException.class);
    assertThat(revision()).isGreaterThan(before);
    write(
        tx -> {
          tx.deleteIssuer(first.id());
          tx.deleteIssuer(99);
        });
    assertThat(issuers()).containsExactly(second);
  }

  private List<Issuer> issuers() {
    return store().read(tx -> tx.issuers());
  }

  @Test
  default void origins_ofTenants_areReplacedOneTenantAtATime() {
    Tenant acme = store().write(tx -> tx.createTenant("acme", "Acme", 5));
    long before = revision();
    write(
        tx -> {
          tx.setOrigins(Tenant.DEFAULT, List.of("https://b.example", "https://a.example"));
          tx.setOrigins(acme.id(), List.of("*"));
        });
    write(tx -> tx.setOrigins(Tenant.DEFAULT, List.of("https://a.example", "http://c.example")));
    assertThat(revision()).isGreaterThan(before);
    assertThat(origins())
        .containsExactly(
            new AllowedOrigin(Tenant.DEFAULT, "http://c.example"),
            new AllowedOrigin(Tenant.DEFAULT, "https://a.example"),
            new AllowedOrigin(acme.id(), "*"));
    write(tx -> tx.setOrigins(Tenant.DEFAULT, List.of()));
    assertThat(origins()).hasSize(1);
  }

  private List<AllowedOrigin> origins() {
    return store().read(tx -> tx.origins());
  }

  @Test
  default void awardRules_severalVersions_theNewestOfEachTenantIsRead() {
    Tenant acme = store().write(tx -> tx.createTenant("acme", "Acme", 5));
    StoredRules first = new StoredRules(Tenant.DEFAULT, 3, "{}", null, "me", 7);
    StoredRules second = new StoredRules(Tenant.DEFAULT, 10, "{\u00e9}", "c2ln", "me", 8);
    StoredRules theirs = new StoredRules(acme.id(), 1, "{}", null, "me", 9);
    long before = revision();
    write(
        tx -> {
          tx.putAwardRules(first);
          tx.putAwardRules(second);
          tx.putAwardRules(theirs);
        });
    List<StoredRules> read = store().read(tx -> tx.awardRules());
    assertThat(read).containsExactly(second, theirs);
    assertThat(revision()).isGreaterThan(before);
    assertThatThrownBy(
            () ->
                write(
                    tx -> {
                      tx.putAwardRules(second);
                    }))
        .isInstanceOf(StoreException.class);
  }

  @Test
  default void awardSwitches_offAndOn_areRemembered() {
    AwardSwitch all = new AwardSwitch(Tenant.DEFAULT, "");
    AwardSwitch one = new AwardSwitch(Tenant.DEFAULT, "share_link");
    long before = revision();
    for (int i = 0; i < 2; i++) {
      write(
          tx -> {
            tx.switchAwards(one, true);
            tx.switchAwards(all, true);
          });
    }
    assertThat(switches()).containsExactly(all, one);
    assertThat(revision()).isGreaterThan(before);
    write(
        tx -> {
          tx.switchAwards(all, false);
        });
    assertThat(switches()).containsExactly(one);
  }

  private List<AwardSwitch> switches() {
    return store().read(tx -> tx.awardSwitches());
  }

  private void revoke(long id, long at) {
    write(
        tx -> {
          tx.revokeKey(id, at);
        });
  }

  private static ApiKey key(String hash, Set<Scope> scopes, @Nullable Long revokedAt) {
    return new ApiKey(0, Tenant.DEFAULT, "key", scopes, "la_", hash, "me", 7, revokedAt);
  }
}
