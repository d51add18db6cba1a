package dev.laurel.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who wants to hear of a tenant's seasons.
 *
 * @param events the names of the events it hears of
 * @param board the UUID of the only board it is about; null for every board of the tenant
 * @param paused whether what it is to hear waits until it is not paused any more
 * @param removedAt since when it hears of nothing; null as long as it is there
 */
public record Webhook(
    long id,
    long tenant,
    String url,
    Secrets secrets,
    Set<String> events,
    @Nullable String board,
    boolean paused,
    String createdBy,
    long createdAt,
    @Nullable Long removedAt) {

  /**
   * What signs the messages; each is shown once, when it is made.
   *
   * @param old the one before, null if there is none; it signs as well until {@code oldUntil}
   */
  public record Secrets(String current, @Nullable String old, long oldUntil) {
    public static Secrets of(String secret) {
      return new Secrets(secret, null, 0);
    }

    /** A new one, beside which the present one signs for a while. */
    public Secrets rotated(String secret, long until) {
      return new Secrets(secret, current, until);
    }

    /** Those in force, the newest first. */
    public List<String> at(long now) {
      List<String> all = new ArrayList<>(2);
      all.add(current);
      if (old != null && now < oldUntil) {
        all.add(old);
      }
      return all;
    }

    /** Not what they are: it must not end up in a log. */
    @Override
    public String toString() {
      return "Secrets";
    }
  }

  /** A new one. */
  public Webhook(
      long id,
      long tenant,
      String url,
      String secret,
      Set<String> events,
      @Nullable String board,
      String createdBy,
      long createdAt) {
    this(id, tenant, url, Secrets.of(secret), events, board, false, createdBy, createdAt, null);
  }

  public Webhook withId(long stored) {
    return new Webhook(
        stored, tenant, url, secrets, events, board, paused, createdBy, createdAt, removedAt);
  }

  public Webhook with(Secrets other) {
    return new Webhook(
        id, tenant, url, other, events, board, paused, createdBy, createdAt, removedAt);
  }

  /** The same with all that its owner may change but the secrets. */
  public Webhook with(String newUrl, Set<String> newEvents, @Nullable String only, boolean pause) {
    return new Webhook(
        id, tenant, newUrl, secrets, newEvents, only, pause, createdBy, createdAt, removedAt);
  }

  /** The same, not paused. */
  public Webhook awake() {
    return with(url, events, board, false);
  }

  /** Without the secrets: they must not end up in a log. */
  @Override
  public String toString() {
    return "Webhook[id=" + id + ", tenant=" + tenant + "]";
  }
}
