package dev.laurel.core.hooks;

import dev.laurel.core.access.Principal;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.OutboxReads;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Webhook;
import dev.laurel.core.store.WriteTransaction;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The webhooks of a tenant, and what was sent to them. Blocking. Thread-safe. */
public final class Webhooks {
  public static final int MAX_URL = 2000;

  /** Not about a season: see {@link dev.laurel.core.events.AwardHooks}. */
  public static final String AWARD_RECORDED = "award.recorded";

  /** About nothing: it shows that messages arrive. */
  public static final String TEST = "webhook.test";

  private static final int MIN_SECRET = 16;
  private static final int MAX_SECRET = 128;
  private static final int MAX_WEBHOOKS = 100;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Store store;
  private final InstantSource clock;

  public Webhooks(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * What a caller says when making one.
   *
   * @param secret made up if null
   * @param events all that are about seasons if null
   * @param board the UUID of a board of the tenant; all boards if null
   */
  public record Definition(
      String url, @Nullable String secret, @Nullable List<String> events, @Nullable String board) {}

  /** A delivery with its attempts. */
  public record Sent(Delivery delivery, List<Delivery.Attempt> attempts) {}

  /**
   * @param answer writes the answer; it is called twice, for the caller with the secret and for the
   *     record that an idempotency key keeps without it
   */
  public OnceOnly.Answer create(
      Principal caller,
      Definition definition,
      OnceOnly.@Nullable Key key,
      BiFunction<Webhook, @Nullable String, byte[]> answer) {
    String given = definition.secret();
    Webhook webhook =
        new Webhook(
            0,
            caller.tenant(),
            requireUrl(definition.url()),
            given == null ? newSecret() : requireSecret(given),
            requireEvents(definition.events()),
            definition.board(),
            caller.name(),
            clock.millis());
    Webhook[] created = new Webhook[1];
    OnceOnly.Answer kept =
        once(
            key,
            tx -> {
              if (tx.outbox().webhooks(caller.tenant()).size() >= MAX_WEBHOOKS) {
                throw Rejection.of(
                        ErrorCode.TOO_MANY_WEBHOOKS,
                        "webhooks: one more (expected: at most " + MAX_WEBHOOKS + " a tenant)")
                    .asException();
              }
              created[0] = tx.outbox().createWebhook(webhook);
              return answer.apply(created[0], null);
            });
    return kept.replayed()
        ? kept
        : new OnceOnly.Answer(answer.apply(created[0], webhook.secrets().current()), false);
  }

  /**
   * What a caller changes; null for what stays.
   *
   * @param everyBoard whether it is about all boards from now on
   */
  public record Edit(
      @Nullable String url,
      @Nullable List<String> events,
      @Nullable String board,
      boolean everyBoard,
      @Nullable Boolean paused) {}

  /** What waits is sent to the address of then. What a paused one is to hear waits. */
  public OnceOnly.Answer change(
      long tenant,
      long id,
      Edit edit,
      OnceOnly.@Nullable Key key,
      Function<Webhook, byte[]> answer) {
    String url = edit.url() == null ? null : requireUrl(edit.url());
    Set<String> events = edit.events() == null ? null : requireEvents(edit.events());
    return once(
        key,
        tx -> {
          Outbox outbox = tx.outbox();
          Webhook old = require(outbox, tenant, id);
          boolean paused = edit.paused() == null ? old.paused() : edit.paused();
          Webhook changed =
              old.with(
                  url == null ? old.url() : url,
                  events == null ? old.events() : events,
                  edit.everyBoard() ? null : edit.board() == null ? old.board() : edit.board(),
                  paused);
          outbox.changeWebhook(changed);
          if (paused != old.paused()) {
            outbox.moveAll(
                id,
                paused ? Delivery.State.PENDING : Delivery.State.PAUSED,
                paused ? Delivery.State.PAUSED : Delivery.State.PENDING,
                tx.now());
          }
          return answer.apply(changed);
        });
  }

  /**
   * A new secret, beside which the present one signs for a while. One that was replaced before does
   * not sign any more.
   *
   * @param secret made up if null
   * @param answer as in {@link #create}
   */
  public OnceOnly.Answer rotate(
      long tenant,
      long id,
      @Nullable String secret,
      Duration overlap,
      OnceOnly.@Nullable Key key,
      BiFunction<Webhook, @Nullable String, byte[]> answer) {
    String next = secret == null ? newSecret() : requireSecret(secret);
    Webhook[] rotated = new Webhook[1];
    OnceOnly.Answer kept =
        once(
            key,
            tx -> {
              Webhook old = require(tx.outbox(), tenant, id);
              rotated[0] = old.with(old.secrets().rotated(next, tx.now() + overlap.toMillis()));
              tx.outbox().changeWebhook(rotated[0]);
              return answer.apply(rotated[0], null);
            });
    return kept.replayed() ? kept : new OnceOnly.Answer(answer.apply(rotated[0], next), false);
  }

  /** Writes what a test event says. */
  @FunctionalInterface
  public interface TestEncoder {
    String encode(String eventId, long at, String tenantId, Webhook webhook);
  }

  /** Sends an event that is about nothing, also to a webhook that is paused. */
  public OnceOnly.Answer test(
      long tenant,
      long id,
      TestEncoder encoder,
      OnceOnly.@Nullable Key key,
      Function<Sent, byte[]> answer) {
    return once(
        key,
        tx -> {
          Webhook webhook = require(tx.outbox(), tenant, id);
          String eventId = UUID.randomUUID().toString();
          long now = tx.now();
          String payload = encoder.encode(eventId, now, tx.tenantId(tenant), webhook);
          Delivery delivery = Delivery.of(webhook.awake(), eventId, TEST, payload, now);
          tx.outbox().add(delivery);
          return answer.apply(new Sent(delivery, List.of()));
        });
  }

  public Webhook get(long tenant, long id) {
    return store.read(tx -> require(tx.outbox(), tenant, id));
  }

  /** Those of which deliveries can still be read. */
  public List<Webhook> removed(long tenant) {
    return store.read(tx -> tx.outbox().removedWebhooks(tenant));
  }

  private static String requireUrl(String url) {
    boolean ok = !url.isEmpty() && url.length() <= MAX_URL && isVisibleAscii(url);
    if (ok) {
      try {
        URI uri = new URI(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        ok =
            (scheme.equals("http") || scheme.equals("https"))
                && uri.getHost() != null
                && uri.getUserInfo() == null
                && uri.getFragment() == null
                && uri.getPort() <= 65535;
      } catch (URISyntaxException e) {
        ok = false;
      }
    }
    if (!ok) {
      throw Rejection.invalid(
              "url",
              url,
              "an address that begins with http:// or https://, of at most "
                  + MAX_URL
                  + " characters, without user and fragment")
          .asException();
    }
    return url;
  }

  private static String requireSecret(String secret) {
    if (secret.length() < MIN_SECRET || secret.length() > MAX_SECRET || !isVisibleAscii(secret)) {
      throw Rejection.invalid(
              "secret",
              secret.length() + " characters",
              MIN_SECRET + ".." + MAX_SECRET + " visible ASCII characters")
          .asException();
    }
    return secret;
  }

  private static boolean isVisibleAscii(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static Set<String> requireEvents(@Nullable List<String> names) {
    Set<String> all = new TreeSet<>();
    Arrays.stream(SeasonEvent.values()).map(SeasonEvent::text).forEach(all::add);
    if (names == null) {
      return all;
    }
    // One for each award is much: only for those who ask for it by name.
    all.add(AWARD_RECORDED);
    Set<String> chosen = new TreeSet<>();
    for (String name : names) {
      if (!all.contains(name) || !chosen.add(name)) {
        throw Rejection.invalid("events", name, String.join(" | ", all) + ", each once")
            .asException();
      }
    }
    if (chosen.isEmpty()) {
      throw Rejection.invalid("events", "none", "at least one of " + String.join(", ", all))
          .asException();
    }
    return chosen;
  }

  /** 192 random bits, which say what they are when they turn up in a log. */
  private static String newSecret() {
    byte[] bytes = new byte[24];
    RANDOM.nextBytes(bytes);
    return "whsec_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  public List<Webhook> list(long tenant) {
    return store.read(tx -> tx.outbox().webhooks(tenant));
  }

  /** What waits is not sent any more; deliveries can still be read. The answer has no body. */
  public OnceOnly.Answer remove(long tenant, long id, OnceOnly.@Nullable Key key) {
    return once(
        key,
        tx -> {
          Outbox outbox = tx.outbox();
          long now = tx.now();
          outbox.removeWebhook(require(outbox, tenant, id).id(), now);
          for (Delivery.State waiting : List.of(Delivery.State.PENDING, Delivery.State.PAUSED)) {
            outbox.moveAll(id, waiting, Delivery.State.CANCELLED, now);
          }
          return new byte[0];
        });
  }

  /** The newest first. */
  public List<Sent> deliveries(long tenant, long id, Delivery.@Nullable State state, int limit) {
    return store.read(
        tx -> {
          OutboxReads outbox = tx.outbox();
          List<Sent> sent = new ArrayList<>();
          for (Delivery each : outbox.deliveries(known(outbox, tenant, id).id(), state, limit)) {
            sent.add(new Sent(each, outbox.attempts(each.id())));
          }
          return sent;
        });
  }

  /**
   * Makes a delivery due now, whatever became of it, with as many tries as a new one; also if its
   * webhook is paused.
   */
  public OnceOnly.Answer resend(
      long tenant, String id, OnceOnly.@Nullable Key key, Function<Sent, byte[]> answer) {
    return once(
        key,
        tx -> {
          Delivery delivery = tx.outbox().delivery(id);
          if (delivery == null || delivery.tenant() != tenant) {
            throw missing(ErrorCode.DELIVERY_NOT_FOUND, "deliveryId", id, "a delivery");
          }
          var _ = require(tx.outbox(), tenant, delivery.webhook());
          tx.outbox().renew(id, tx.now());
          Delivery renewed = tx.outbox().delivery(id);
          return answer.apply(
              new Sent(renewed == null ? delivery : renewed, tx.outbox().attempts(id)));
        });
  }

  /**
   * One at a time, also of other nodes: a change takes over what it does not change, and must not
   * bring back what another one has replaced.
   */
  private OnceOnly.Answer once(
      OnceOnly.@Nullable Key key, Store.Work<WriteTransaction, byte[]> work) {
    return OnceOnly.run(
        store,
        key,
        clock.millis(),
        tx -> {
          tx.lockShard(0);
          return work.in(tx);
        });
  }

  private static Webhook require(OutboxReads outbox, long tenant, long id) {
    Webhook webhook = known(outbox, tenant, id);
    if (webhook.removedAt() != null) {
      throw missing(ErrorCode.WEBHOOK_NOT_FOUND, "webhookId", id, "a webhook that was not removed");
    }
    return webhook;
  }

  private static Webhook known(OutboxReads outbox, long tenant, long id) {
    Webhook webhook = outbox.webhook(id);
    if (webhook == null || webhook.tenant() != tenant) {
      throw missing(ErrorCode.WEBHOOK_NOT_FOUND, "webhookId", id, "a webhook");
    }
    return webhook;
  }

  private static RejectedException missing(ErrorCode code, String name, Object id, String what) {
    return Rejection.expectation(code, name, id, what + " of this tenant").asException();
  }
}
