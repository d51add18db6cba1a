package dev.laurel.sql;

import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Delivery.Attempt;
import dev.laurel.core.store.Delivery.State;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be sent to webhooks, and how it went. */
final class DeliveryTables {
  private static final String COLUMNS =
      "SELECT id, tenant, webhook, event_id, event, payload, created_at, state, next_at, tries"
          + " FROM deliveries";
  private static final String FIND = COLUMNS + " WHERE id = ?";
  private static final String NEWEST =
      COLUMNS + " WHERE webhook = ? ORDER BY created_at DESC, id LIMIT ?";
  private static final String NEWEST_IN =
      COLUMNS + " WHERE webhook = ? AND state = ? ORDER BY created_at DESC, id LIMIT ?";
  private static final String DUE =
      // In one order for all nodes, or two that claim the same would wait for each other.
      COLUMNS + " WHERE state = ? AND next_at <= ? ORDER BY next_at, id LIMIT ?";
  private static final String DUE_OF =
      COLUMNS
          + " WHERE webhook = ? AND state = 'PENDING' AND next_at <= ? ORDER BY next_at LIMIT ?";
  private static final String INSERT =
      "INSERT INTO deliveries"
          + " (id, tenant, webhook, event_id, event, payload, created_at, state, next_at, tries)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String MOVE_ALL =
      "UPDATE deliveries SET state = ?, next_at = ? WHERE webhook = ? AND state = ?";
  private static final String CANCEL_ORPHANS =
      "UPDATE deliveries SET state = 'CANCELLED', next_at = ?"
          + " WHERE state IN ('PENDING', 'PAUSED') AND webhook NOT IN"
          + " (SELECT id FROM webhooks WHERE removed_at IS NULL)";
  private static final String CLAIM =
      "UPDATE deliveries SET next_at = ? WHERE id = ? AND state = 'PENDING' AND next_at = ?";
  private static final String RENEW =
      "UPDATE deliveries SET state = 'PENDING', next_at = ?, tries = 0 WHERE id = ?";
  private static final String MOVE =
      "UPDATE deliveries SET state = ?, next_at = ?, tries = tries + 1"
          + " WHERE id = ? AND state = 'PENDING'";
  private static final String MOVE_STOPPED =
      // It was on its way when somebody paused or removed its webhook.
      "UPDATE deliveries SET state = ?, next_at = ?, tries = tries + 1 WHERE id = ?"
          + " AND (state = 'PAUSED' AND ? <> 'PENDING' OR state = 'CANCELLED' AND ? = 'DELIVERED')";
  private static final String DELETE_DUE =
      // Asked again outside: somebody may have renewed one since it was chosen.
      "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE state = ?"
          + " AND next_at <= ? ORDER BY next_at, id LIMIT ?) AND state = ? AND next_at <= ?"
          + " RETURNING id";

  private static final String ATTEMPTS =
      "SELECT number, at, millis, status, error FROM delivery_attempts"
          + " WHERE delivery = ? ORDER BY number";
  private static final String INSERT_ATTEMPT =
      "INSERT INTO delivery_attempts (delivery, number, at, millis, status, error)"
          + " SELECT id, 1 + (SELECT count(*) FROM delivery_attempts WHERE delivery = id),"
          + " ?, ?, ?, ? FROM deliveries WHERE id = ?";
  private static final String DELETE_ATTEMPTS = "DELETE FROM delivery_attempts WHERE delivery = ?";

  private final Statements statements;

  DeliveryTables(Statements statements) {
    this.statements = statements;
  }

  @Nullable Delivery find(String id) throws SQLException {
    List<Delivery> found = statements.list(DeliveryTables::delivery, FIND, id);
    return found.isEmpty() ? null : found.getFirst();
  }

  List<Delivery> newest(long webhook, @Nullable State state, int limit) throws SQLException {
    return state == null
        ? statements.list(DeliveryTables::delivery, NEWEST, webhook, limit)
        : statements.list(DeliveryTables::delivery, NEWEST_IN, webhook, state.name(), limit);
  }

  List<Delivery> due(State state, long now, int limit) throws SQLException {
    return statements.list(DeliveryTables::delivery, DUE, state.name(), now, limit);
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
        row.getString(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getLong(7),
        State.valueOf(row.getString(8)),
        row.getLong(9),
        row.getInt(10));
  }

  int add(Delivery delivery) throws SQLException {
    return statements.update(
        INSERT,
        delivery.id(),
        delivery.tenant(),
        delivery.webhook(),
        delivery.eventId(),
        delivery.event(),
        delivery.payload(),
        delivery.createdAt(),
        delivery.state().name(),
        delivery.nextAt(),
        delivery.tries());
  }

  boolean claim(Delivery delivery, long until) throws SQLException {
    return statements.update(CLAIM, until, delivery.id(), delivery.nextAt()) == 1;
  }

  int record(String delivery, Attempt attempt, State state, long nextAt) throws SQLException {
    statements.update(
        INSERT_ATTEMPT,
        attempt.at(),
        attempt.millis(),
        attempt.status(),
        attempt.error(),
        delivery);
    String next = state.name();
    return statements.update(MOVE, next, nextAt, delivery)
        + statements.update(MOVE_STOPPED, next, nextAt, delivery, next, next);
  }

  int renew(String delivery, long nextAt) throws SQLException {
    return statements.update(RENEW, nextAt, delivery);
  }

  List<Attempt> attempts(String delivery) throws SQLException {
    return statements.list(DeliveryTables::attempt, ATTEMPTS, delivery);
  }

  private static Attempt attempt(ResultSet row) throws SQLException {
    int status = row.getInt(4);
    @Nullable Integer answered = row.wasNull() ? null : (Integer) status;
    return new Attempt(row.getInt(1), row.getLong(2), row.getLong(3), answered, row.getString(5));
  }

  int deleteDue(State state, long now, int limit) throws SQLException {
    List<String> gone =
        statements.list(
            row -> row.getString(1), DELETE_DUE, state.name(), now, limit, state.name(), now);
    if (!gone.isEmpty()) {
      PreparedStatement attempts = statements.get(DELETE_ATTEMPTS);
      for (String delivery : gone) {
        attempts.setString(1, delivery);
        attempts.addBatch();
      }
      attempts.executeBatch();
    }
    return gone.size();
  }

  List<Delivery> dueOf(long webhook, long now, int limit) throws SQLException {
    return statements.list(DeliveryTables::delivery, DUE_OF, webhook, now, limit);
  }

  int moveAll(long webhook, State from, State to, long nextAt) throws SQLException {
    return statements.update(MOVE_ALL, to.name(), nextAt, webhook, from.name());
  }

  int cancelOrphans(long nextAt) throws SQLException {
    return statements.update(CANCEL_ORPHANS, nextAt);
  }
}
