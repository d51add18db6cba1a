package dev.laurel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.hooks.Webhooks;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Delivery.Attempt;
import dev.laurel.core.store.Delivery.State;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Webhook;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Webhooks and what is to be sent to them. */
interface OutboxCases extends StoreCases {
  private static Webhook webhook(long tenant, @Nullable String board) {
    return new Webhook(
        0, tenant, "https://x.example/?a=\u00e9", "s3cret", Set.of("a", "b.c"), board, "me", 7);
  }

  private static Delivery delivery(String id, long webhook, long createdAt, long nextAt) {
    return new Delivery(
        id, Tenant.DEFAULT, webhook, "a", "{\"x\":1}", createdAt, State.PENDING, nextAt, 0);
  }

  private static Attempt attempt(long at, @Nullable Integer status, @Nullable String error) {
    return new Attempt(0, at, 12, status, error);
  }

  private List<Webhook> webhooks(long tenant) {
    return store().read(tx -> tx.outbox().webhooks(tenant));
  }

  private List<Webhook> asking(String event) {
    return store().read(tx -> tx.outbox().asking(event));
  }

  private @Nullable Webhook found(long id) {
    return store().<@Nullable Webhook>read(tx -> tx.outbox().webhook(id));
  }

  private List<Delivery> deliveries(long webhook, @Nullable State state, int limit) {
    return store().read(tx -> tx.outbox().deliveries(webhook, state, limit));
  }

  private @Nullable Delivery kept(String id) {
    return store().<@Nullable Delivery>read(tx -> tx.outbox().delivery(id));
  }

  private List<Attempt> attempts(String delivery) {
    return store().read(tx -> tx.outbox().attempts(delivery));
  }

  private List<Delivery> dueIn(State state, long now, int limit) {
    return store().read(tx -> tx.outbox().due(state, now, limit));
  }

  private void change(Consumer<Outbox> work) {
    write(tx -> work.accept(tx.outbox()));
  }

  private Webhook stored() {
    return store().write(tx -> tx.outbox().createWebhook(webhook(Tenant.DEFAULT, null)));
  }

  private List<String> due(long now, int limit) {
    return dueIn(State.PENDING, now, limit).stream().map(Delivery::id).toList();
  }

  @Test
  default void createWebhook_everyField_comesBackInItsTenantOnly() {
    Tenant acme = store().write(tx -> tx.createTenant("acme", "Acme", 1));
    Webhook all = stored();
    Webhook one = store().write(tx -> tx.outbox().createWebhook(webhook(acme.id(), "solo")));
    assertThat(all).isEqualTo(webhook(Tenant.DEFAULT, null).withId(all.id()));
    reopen();
    assertThat(webhooks(Tenant.DEFAULT)).containsExactly(all);
    assertThat(webhooks(acme.id())).containsExactly(one);
    assertThat(found(one.id())).isEqualTo(one);
    assertThat(found(999)).isNull();
    assertThat(all.toString()).doesNotContain("s3cret");
  }

  @Test
  default void add_everyField_comesBackAfterAReopen() {
    long hook = stored().id();
    change(o -> o.add(delivery("d1", hook, 5, 6)));
    reopen();
    assertThat(kept("d1")).isEqualTo(delivery("d1", hook, 5, 6));
    assertThat(kept("d2")).isNull();
    assertThat(attempts("d1")).isEmpty();
    assertThatThrownBy(() -> change(o -> o.add(delivery("d1", hook, 5, 6))))
        .isInstanceOf(StoreException.class);
  }

  @Test
  default void add_workThatFails_leavesNothing() {
    long hook = stored().id();
    assertThatThrownBy(
            () ->
                write(
                    tx -> {
                      tx.outbox().add(delivery("d1", hook, 5, 6));
                      throw new IllegalStateException("the step failed");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(kept("d1")).isNull();
  }

  @Test
  default void due_someLaterSomeEnded_areThoseInOrder() {
    long hook = stored().id();
    change(
        o -> {
          o.add(delivery("late", hook, 1, 30));
          o.add(delivery("first", hook, 1, 10));
          o.add(delivery("second", hook, 1, 20));
          o.add(delivery("done", hook, 1, 5));
          o.record("done", attempt(1, 200, null), State.DELIVERED, 15);
        });
    assertThat(due(9, 10)).isEmpty();
    assertThat(due(20, 10)).containsExactly("first", "second");
    assertThat(due(20, 1)).containsExactly("first");
    assertThat(dueIn(State.DELIVERED, 15, 10)).hasSize(1);
    assertThat(dueIn(State.DELIVERED, 14, 10)).isEmpty();
  }

  @Test
  default void claim_byTwoWhoReadTheSame_isGivenToOne() {
    long hook = stored().id();
    change(o -> o.add(delivery("d1", hook, 1, 10)));
    Delivery seen = dueIn(State.PENDING, 10, 1).getFirst();
    assertThat(store().<Boolean>write(tx -> tx.outbox().claim(seen, 70))).isTrue();
    assertThat(store().<Boolean>write(tx -> tx.outbox().claim(seen, 80))).isFalse();
    assertThat(due(69, 10)).isEmpty();
    assertThat(due(70, 10)).containsExactly("d1");
  }

  @Test
  default void record_attempts_areNumberedCountedAndKept() {
    long hook = stored().id();
    change(o -> o.add(delivery("d1", hook, 1, 10)));
    change(o -> o.record("d1", attempt(10, 500, null), State.PENDING, 15));
    change(o -> o.record("d1", attempt(15, null, "no answer"), State.PENDING, 25));
    Delivery pending = dueIn(State.PENDING, 25, 1).getFirst();
    assertThat(pending.tries()).isEqualTo(2);
    change(o -> o.record("d1", attempt(25, 204, null), State.DELIVERED, 99));
    assertThat(attempts("d1"))
        .containsExactly(
            new Attempt(1, 10, 12, 500, null),
            new Attempt(2, 15, 12, null, "no answer"),
            new Attempt(3, 25, 12, 204, null));
    // A slow rival's failure does not undo it.
    change(o -> o.record("d1", attempt(30, 500, null), State.PENDING, 40));
    assertThat(deliveries(hook, null, 10))
        .singleElement()
        .extracting(Delivery::state)
        .isEqualTo(State.DELIVERED);
    assertThat(attempts("d1")).hasSize(4);
    change(o -> o.record("gone", attempt(30, 500, null), State.PENDING, 40));
    assertThat(attempts("gone")).isEmpty();
  }

  @Test
  default void renew_ended_isPendingAgainWithAllItsTries() {
    long hook = stored().id();
    change(o -> o.add(delivery("d1", hook, 1, 10)));
    change(o -> o.record("d1", attempt(10, 500, null), State.FAILED, 99));
    assertThat(due(1000, 10)).isEmpty();
    change(o -> o.renew("d1", 50));
    assertThat(kept("d1")).isEqualTo(delivery("d1", hook, 1, 50));
    change(o -> o.record("d1", attempt(50, 200, null), State.DELIVERED, 99));
    assertThat(attempts("d1")).extracting(Attempt::number).containsExactly(1, 2);
  }

  @Test
  default void deliveries_byState_areNewestFirst() {
    long hook = stored().id();
    long other = stored().id();
    change(
        o -> {
          for (int i = 1; i <= 4; i++) {
            o.add(delivery("d" + i, hook, i, i));
          }
          o.add(delivery("other", other, 9, 9));
          o.record("d3", attempt(1, 500, null), State.FAILED, 9);
        });
    assertThat(deliveries(hook, null, 3))
        .extracting(Delivery::id)
        .containsExactly("d4", "d3", "d2");
    assertThat(deliveries(hook, State.PENDING, 3))
        .extracting(Delivery::id)
        .containsExactly("d4", "d2", "d1");
    assertThat(deliveries(hook, State.FAILED, 3)).hasSize(1);
  }

  @Test
  default void removeWebhook_withDeliveries_keepsThemToBeRead() {
    long hook = stored().id();
    long other = stored().id();
    change(
        o -> {
          o.add(delivery("mine", hook, 1, 1));
          o.add(delivery("theirs", other, 1, 1));
          o.record("mine", attempt(1, 500, null), State.PENDING, 1);
        });
    change(o -> o.removeWebhook(hook, 7));
    Webhook removed = found(hook);
    assertThat(removed).isNotNull();
    assertThat(removed.removedAt()).isEqualTo(7);
    assertThat(removed.secrets()).isEqualTo(Webhook.Secrets.of(""));
    assertThat(webhooks(Tenant.DEFAULT)).extracting(Webhook::id).containsExactly(other);
    assertThat(asking("a")).extracting(Webhook::id).containsExactly(other);
    assertThat(store().<List<Webhook>>read(tx -> tx.outbox().removedWebhooks(Tenant.DEFAULT)))
        .containsExactly(removed);
    // Somebody who has not seen it yet adds one more: it is cancelled as well.
    change(o -> o.add(delivery("late", hook, 2, 2)));
    assertThat(store().<List<Webhook>>read(tx -> tx.outbox().withDue(10)))
        .extracting(Webhook::id)
        .containsExactly(other);
    change(o -> o.tidyRemoved(20));
    assertThat(deliveries(hook, State.CANCELLED, 9))
        .extracting(Delivery::id, Delivery::nextAt)
        .containsExactly(Tuple.tuple("late", 20L), Tuple.tuple("mine", 20L));
    assertThat(attempts("mine")).hasSize(1);
    assertThat(due(10, 10)).containsExactly("theirs");
    change(o -> o.forget(State.CANCELLED, 20, 9));
    change(o -> o.tidyRemoved(20));
    assertThat(found(hook)).isNull();
  }

  @Test
  default void changeWebhook_everyField_comesBackUnlessItWasRemoved() {
    Webhook made = stored();
    Webhook changed =
        made.with("http://y.example/", Set.of("c"), "solo", true)
            .with(made.secrets().rotated("next", 99));
    change(o -> o.changeWebhook(changed));
    reopen();
    assertThat(found(made.id())).isEqualTo(changed);
    assertThat(changed.secrets().at(98)).containsExactly("next", "s3cret");
    assertThat(changed.secrets().at(99)).containsExactly("next");
    change(o -> o.removeWebhook(made.id(), 5));
    change(o -> o.changeWebhook(changed));
    assertThat(found(made.id()))
        .isNotNull()
        .extracting(Webhook::secrets)
        .isEqualTo(Webhook.Secrets.of(""));
  }

  /** A change says what it changes, and leaves the rest as whoever else has it. */
  @Test
  default void webhook_changedAndRotatedAtOnce_hasBoth() throws InterruptedException {
    Webhooks webhooks = new Webhooks(store(), InstantSource.system());
    long hook = stored().id();
    for (int i = 0; i < 200; i++) {
      String secret = "a-secret-of-many-letters-" + i;
      String url = "https://x.example/" + i;
      Thread rotating =
          Thread.startVirtualThread(
              () ->
                  webhooks.rotate(
                      Tenant.DEFAULT,
                      hook,
                      secret,
                      Duration.ZERO,
                      null,
                      (webhook, shown) -> new byte[0]));
      webhooks.change(
          Tenant.DEFAULT,
          hook,
          new Webhooks.Edit(url, null, null, false, null),
          null,
          webhook -> new byte[0]);
      rotating.join();
      Webhook now = found(hook);
      assertThat(now).isNotNull();
      assertThat(now.url()).isEqualTo(url);
      assertThat(now.secrets().current()).isEqualTo(secret);
    }
  }

  /** It was on its way when its webhook was removed. */
  @Test
  default void record_cancelledBesideAnAttempt_isDeliveredIfItArrived() {
    long hook = stored().id();
    change(
        o -> {
          o.add(delivery("failing", hook, 1, 1));
          o.add(delivery("arriving", hook, 1, 1));
          o.removeWebhook(hook, 5);
          o.moveAll(hook, State.PENDING, State.CANCELLED, 5);
        });
    change(o -> o.record("failing", attempt(6, 500, null), State.PENDING, 11));
    change(o -> o.record("arriving", attempt(6, 200, null), State.DELIVERED, 99));
    assertThat(deliveries(hook, null, 9))
        .extracting(Delivery::id, Delivery::state, Delivery::nextAt)
        .containsExactlyInAnyOrder(
            Tuple.tuple("failing", State.CANCELLED, 5L),
            Tuple.tuple("arriving", State.DELIVERED, 99L));
  }

  @Test
  default void moveAll_pausedBesideAnAttempt_staysPausedUnlessItArrived() {
    long hook = stored().id();
    long other = stored().id();
    change(
        o -> {
          for (String id : List.of("failing", "arriving", "waiting")) {
            o.add(delivery(id, hook, 1, 1));
          }
          o.add(delivery("theirs", other, 1, 1));
        });
    change(o -> o.moveAll(hook, State.PENDING, State.PAUSED, 5));
    assertThat(due(10, 10)).containsExactly("theirs");
    change(o -> o.record("failing", attempt(6, 500, null), State.PENDING, 11));
    change(o -> o.record("arriving", attempt(6, 200, null), State.DELIVERED, 99));
    assertThat(deliveries(hook, State.PAUSED, 9))
        .extracting(Delivery::id)
        .containsExactlyInAnyOrder("failing", "waiting");
    change(o -> o.moveAll(hook, State.PAUSED, State.PENDING, 12));
    assertThat(store().<List<Delivery>>read(tx -> tx.outbox().dueOf(hook, 12, 9)))
        .extracting(Delivery::id)
        .containsExactlyInAnyOrder("failing", "waiting");
    assertThat(store().<List<Delivery>>read(tx -> tx.outbox().dueOf(hook, 12, 1))).hasSize(1);
    assertThat(deliveries(hook, State.DELIVERED, 9)).hasSize(1);
  }

  @Test
  default void forget_ended_removesWhatIsDueWithItsAttempts() {
    long hook = stored().id();
    change(
        o -> {
          for (int i = 1; i <= 5; i++) {
            o.add(delivery("d" + i, hook, i, i));
          }
          o.record("d1", attempt(1, 200, null), State.DELIVERED, 10);
          o.record("d2", attempt(1, 200, null), State.DELIVERED, 11);
          o.record("d3", attempt(1, 200, null), State.DELIVERED, 99);
          o.record("d4", attempt(1, 500, null), State.FAILED, 10);
        });
    assertThat(store().<Integer>write(tx -> tx.outbox().forget(State.DELIVERED, 50, 1))).isOne();
    assertThat(kept("d1")).isNull();
    assertThat(attempts("d1")).isEmpty();
    assertThat(store().<Integer>write(tx -> tx.outbox().forget(State.DELIVERED, 50, 9))).isOne();
    assertThat(store().<Integer>write(tx -> tx.outbox().forget(State.DELIVERED, 50, 9))).isZero();
    assertThat(deliveries(hook, null, 9))
        .extracting(Delivery::id)
        .containsExactly("d5", "d4", "d3");
    assertThat(attempts("d3")).hasSize(1);
    assertThat(attempts("d4")).hasSize(1);
  }

  @Test
  default void asking_severalTenants_areThoseWhoNamedTheEvent() {
    Tenant acme = store().write(tx -> tx.createTenant("acme", "Acme", 1));
    Webhook all = stored();
    Webhook theirs = store().write(tx -> tx.outbox().createWebhook(webhook(acme.id(), null)));
    assertThat(asking("b.c")).containsExactly(all, theirs);
    assertThat(asking("b")).isEmpty();
  }
}
