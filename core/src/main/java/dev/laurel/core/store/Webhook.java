package dev.laurel.core.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who wants to hear of a tenant's seasons.
 *
 * @param secret signs what is sent; shown once, when the webhook is made
 * @param events the names of the events it hears of
 * @param board the UUID of the only board it is about; null for every board of the tenant
 */
public record Webhook(
    long id,
    long tenant,
    String url,
    String secret,
    Set<String> events,
    @Nullable String board,
    String createdBy,
    long createdAt) {

  public Webhook withId(long stored) {
    return new Webhook(stored, tenant, url, secret, events, board, createdBy, createdAt);
  }

  /** Without the secret: it must not end up in a log. */
  @Override
  public String toString() {
    return "Webhook[id=" + id + ", tenant=" + tenant + "]";
  }
}
