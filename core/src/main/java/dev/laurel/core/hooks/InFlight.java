package dev.laurel.core.hooks;

import dev.laurel.core.store.Webhook;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many messages are on their way, and to whom one more may be sent. A receiver that is slow
 * takes few of the hands, a tenant never more than its share, and slow ones together only a part:
 * so nobody waits for somebody else's receiver. Thread-safe.
 */
public final class InFlight {
  /** At once to a webhook that answers quickly, and to one that does not. */
  static final int OF_A_WEBHOOK = 16;

  static final int OF_A_SLOW_WEBHOOK = 1;
  static final int OF_A_TENANT = 64;

  /** All of them; slow ones leave half of it to others. */
  static final int OF_ALL = 512;

  static final int OF_ALL_SLOW = OF_ALL / 2;

  /** A receiver that takes longer is slow, until an answer comes sooner. */
  static final long SLOW_MILLIS = 1000;

  /** Guarded by this, as is all below. */
  private final Map<Long, Integer> byWebhook = new HashMap<>();

  private final Map<Long, Integer> byTenant = new HashMap<>();
  private final Set<Long> slow = new HashSet<>();
  private int all;

  /** What can be sent now. It counts what is chosen by it and nothing else; for one thread. */
  public final class Choice {
    private final Map<Long, Integer> webhooks;
    private final Map<Long, Integer> tenants;
    private final Set<Long> isSlow;
    private int total;
    private int slowTotal;

    private Choice() {
      synchronized (InFlight.this) {
        webhooks = new HashMap<>(byWebhook);
        tenants = new HashMap<>(byTenant);
        isSlow = Set.copyOf(slow);
        total = all;
      }
      slowTotal = isSlow.stream().mapToInt(id -> webhooks.getOrDefault(id, 0)).sum();
    }

    /** How many more may be sent to a webhook. */
    int room(Webhook webhook) {
      boolean isOneOfThem = isSlow.contains(webhook.id());
      int own = isOneOfThem ? OF_A_SLOW_WEBHOOK : OF_A_WEBHOOK;
      int room = own - webhooks.getOrDefault(webhook.id(), 0);
      room = Math.min(room, OF_A_TENANT - tenants.getOrDefault(webhook.tenant(), 0));
      room = Math.min(room, OF_ALL - total);
      return Math.max(0, isOneOfThem ? Math.min(room, OF_ALL_SLOW - slowTotal) : room);
    }

    void take(Webhook webhook, int count) {
      webhooks.merge(webhook.id(), count, Integer::sum);
      tenants.merge(webhook.tenant(), count, Integer::sum);
      total += count;
      slowTotal += isSlow.contains(webhook.id()) ? count : 0;
    }
  }

  Choice choose() {
    return new Choice();
  }

  synchronized void begin(Webhook webhook) {
    byWebhook.merge(webhook.id(), 1, Integer::sum);
    byTenant.merge(webhook.tenant(), 1, Integer::sum);
    all++;
  }

  /** Whatever came of it. */
  synchronized void end(Webhook webhook, long millis) {
    byWebhook.computeIfPresent(webhook.id(), (_, count) -> count == 1 ? null : count - 1);
    byTenant.computeIfPresent(webhook.tenant(), (_, count) -> count == 1 ? null : count - 1);
    all--;
    if (millis >= SLOW_MILLIS) {
      slow.add(webhook.id());
    } else {
      slow.remove(webhook.id());
    }
  }
}
