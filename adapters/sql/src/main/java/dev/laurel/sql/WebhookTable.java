package dev.laurel.sql;

import dev.laurel.core.store.Webhook;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Webhooks. */
final class WebhookTable {
  private static final String COLUMNS =
      "SELECT id, tenant, url, secret, old_secret, old_until, events, board, paused, created_by,"
          + " created_at, removed_at FROM webhooks";
  private static final String OF_TENANT =
      COLUMNS + " WHERE tenant = ? AND removed_at IS NULL ORDER BY id";
  private static final String REMOVED =
      COLUMNS + " WHERE tenant = ? AND removed_at IS NOT NULL ORDER BY id";
  private static final String ALL = COLUMNS + " WHERE removed_at IS NULL ORDER BY id";
  private static final String WITH_DUE =
      COLUMNS
          + " WHERE removed_at IS NULL AND EXISTS (SELECT 1 FROM deliveries WHERE"
          + " deliveries.webhook = webhooks.id AND state = 'PENDING' AND next_at <= ?) ORDER BY id";
  private static final String FIND = COLUMNS + " WHERE id = ?";
  private static final String INSERT =
      "INSERT INTO webhooks (tenant, url, secret, events, board, created_by, created_at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id";
  private static final String CHANGE =
      "UPDATE webhooks SET url = ?, secret = ?, old_secret = ?, old_until = ?, events = ?,"
          + " board = ?, paused = ? WHERE id = ? AND removed_at IS NULL";
  private static final String REMOVE =
      "UPDATE webhooks SET removed_at = ?, secret = '', old_secret = NULL, old_until = 0"
          + " WHERE id = ? AND removed_at IS NULL";
  private static final String FORGET =
      "DELETE FROM webhooks WHERE removed_at IS NOT NULL"
          + " AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.webhook = webhooks.id)";

  private final Statements statements;

  WebhookTable(Statements statements) {
    this.statements = statements;
  }

  List<Webhook> ofTenant(long tenant) throws SQLException {
    return statements.list(WebhookTable::webhook, OF_TENANT, tenant);
  }

  /** A tenant has few, and most have none: to look through all of them is one short scan. */
  List<Webhook> asking(String event) throws SQLException {
    return statements.list(WebhookTable::webhook, ALL).stream()
        .filter(webhook -> webhook.events().contains(event))
        .toList();
  }

  @Nullable Webhook find(long id) throws SQLException {
    List<Webhook> found = statements.list(WebhookTable::webhook, FIND, id);
    return found.isEmpty() ? null : found.getFirst();
  }

  private static Webhook webhook(ResultSet row) throws SQLException {
    return new Webhook(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        new Webhook.Secrets(row.getString(4), row.getString(5), row.getLong(6)),
        Collections.unmodifiableSet(new TreeSet<>(List.of(row.getString(7).split(",")))),
        row.getString(8),
        row.getInt(9) != 0,
        row.getString(10),
        row.getLong(11),
        removedAt(row));
  }

  private static @Nullable Long removedAt(ResultSet row) throws SQLException {
    long at = row.getLong(12);
    return row.wasNull() ? null : (Long) at;
  }

  List<Webhook> removed(long tenant) throws SQLException {
    return statements.list(WebhookTable::webhook, REMOVED, tenant);
  }

  List<Webhook> withDue(long now) throws SQLException {
    return statements.list(WebhookTable::webhook, WITH_DUE, now);
  }

  int change(Webhook webhook) throws SQLException {
    return statements.update(
        CHANGE,
        webhook.url(),
        webhook.secrets().current(),
        webhook.secrets().old(),
        webhook.secrets().oldUntil(),
        String.join(",", new TreeSet<>(webhook.events())),
        webhook.board(),
        webhook.paused() ? 1 : 0,
        webhook.id());
  }

  Webhook create(Webhook webhook) throws SQLException {
    return webhook.withId(
        statements.number(
            0,
            INSERT,
            webhook.tenant(),
            webhook.url(),
            webhook.secrets().current(),
            String.join(",", new TreeSet<>(webhook.events())),
            webhook.board(),
            webhook.createdBy(),
            webhook.createdAt()));
  }

  int remove(long id, long at) throws SQLException {
    return statements.update(REMOVE, at, id);
  }

  int forget() throws SQLException {
    return statements.update(FORGET);
  }
}
