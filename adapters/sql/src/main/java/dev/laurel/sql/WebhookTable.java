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
      "SELECT id, tenant, url, secret, events, board, created_by, created_at FROM webhooks";
  private static final String OF_TENANT = COLUMNS + " WHERE tenant = ? ORDER BY id";
  private static final String ALL = COLUMNS + " ORDER BY id";
  private static final String FIND = COLUMNS + " WHERE id = ?";
  private static final String INSERT =
      "INSERT INTO webhooks (tenant, url, secret, events, board, created_by, created_at)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id";
  private static final String DELETE = "DELETE FROM webhooks WHERE id = ?";

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
        row.getString(4),
        Collections.unmodifiableSet(new TreeSet<>(List.of(row.getString(5).split(",")))),
        row.getString(6),
        row.getString(7),
        row.getLong(8));
  }

  Webhook create(Webhook webhook) throws SQLException {
    return webhook.withId(
        statements.number(
            0,
            INSERT,
            webhook.tenant(),
            webhook.url(),
            webhook.secret(),
            String.join(",", new TreeSet<>(webhook.events())),
            webhook.board(),
            webhook.createdBy(),
            webhook.createdAt()));
  }

  int delete(long id) throws SQLException {
    return statements.update(DELETE, id);
  }
}
