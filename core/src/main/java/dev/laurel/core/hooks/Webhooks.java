package dev.laurel.core.hooks;

import dev.laurel.core.access.Principal;
import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.OutboxReads;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Webhook;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The webhooks of a tenant, and what was sent to them. Blocking. Thread-safe. */
public final class Webhooks {
  public static final int MAX_URL = 2000;

  /** Not about a season: see {@link dev.laurel.core.events.AwardHooks}. */
  public static final String AWARD_RECORDED = "award.recorded";

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
        OnceOnly.run(
            store,
            key,
            clock.millis(),
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
        : new OnceOnly.Answer(answer.apply(created[0], webhook.secret()), false);
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

  /** With all its deliveries; what is pending is not sent any more. The answer has no body. */
  public OnceOnly.Answer delete(long tenant, long id, OnceOnly.@Nullable Key key) {
    return OnceOnly.run(
        store,
        key,
        clock.millis(),
        tx -> {
          tx.outbox().deleteWebhook(require(tx.outbox(), tenant, id).id());
          return new byte[0];
        });
  }

  /** The newest first. */
  public List<Sent> deliveries(long tenant, long id, Delivery.@Nullable State state, int limit) {
    return store.read(
        tx -> {
          OutboxReads outbox = tx.outbox();
          List<Sent> sent = new ArrayList<>();
          for (Delivery each : outbox.deliveries(require(outbox, tenant, id).id(), state, limit)) {
            sent.add(new Sent(each, outbox.attempts(each.id())));
          }
          return sent;
        });
  }

  /** Makes a delivery due now, whatever became of it, with as many tries as a new one. */
  public OnceOnly.Answer resend(
      long tenant, String id, OnceOnly.@Nullable Key key, Function<Sent, byte[]> answer) {
    return OnceOnly.run(
        store,
        key,
        clock.millis(),
        tx -> {
          Delivery delivery = tx.outbox().delivery(id);
          if (delivery == null || delivery.tenant() != tenant) {
            throw missing(ErrorCode.DELIVERY_NOT_FOUND, "deliveryId", id, "a delivery");
          }
          tx.outbox().renew(id, tx.now());
          Delivery renewed = tx.outbox().delivery(id);
          return answer.apply(
              new Sent(renewed == null ? delivery : renewed, tx.outbox().attempts(id)));
        });
  }

  private static Webhook require(OutboxReads outbox, long tenant, long id) {
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
