package dev.laurel.sql;

import dev.laurel.core.store.ReadTransaction.UserConsumer;
import dev.laurel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** User ids and their numbers, by tenant. */
final class UserTable {
  private static final String LOCK_TENANT = "SELECT 1 FROM tenants WHERE id = ?";
  private static final String LAST = "SELECT coalesce(max(number), 0) FROM users WHERE tenant = ?";
  private static final String READ =
      "SELECT number, id FROM users WHERE tenant = ? AND number > ? ORDER BY number";
  private static final String ID = "SELECT id FROM users WHERE tenant = ? AND number = ?";
  private static final String RENAME = "UPDATE users SET id = ? WHERE tenant = ? AND number = ?";
  private static final String LONG_IDS =
      "SELECT coalesce(sum(octet_length(id)), 0) FROM users"
          + " WHERE tenant = ? AND octet_length(id) > ?";
  private static final Insert INSERT = Insert.into("users").numbers("tenant", "number").texts("id");

  private final Statements statements;
  private final String lockTenant;

  UserTable(Statements statements, Dialect dialect) {
    this.statements = statements;
    this.lockTenant = LOCK_TENANT + dialect.rowLock();
  }

  int read(long tenant, int after, UserConsumer consumer) throws SQLException {
    int count = 0;
    try (ResultSet rows = statements.get(READ, tenant, after).executeQuery()) {
      while (rows.next()) {
        consumer.accept(rows.getInt(1), rows.getString(2));
        count++;
      }
    }
    return count;
  }

  int last(long tenant) throws SQLException {
    return Math.toIntExact(statements.number(0, LAST, tenant));
  }

  long longIdBytes(long tenant, int longer) throws SQLException {
    return statements.number(0, LONG_IDS, tenant, longer);
  }

  String id(long tenant, int number) throws SQLException {
    List<String> found = statements.list(row -> row.getString(1), ID, tenant, number);
    if (found.isEmpty()) {
      throw new StoreException("user: " + number + " (expected: a stored user)");
    }
    return found.getFirst();
  }

  int rename(long tenant, int number, String id) throws SQLException {
    return statements.update(RENAME, id, tenant, number);
  }

  int[] assign(long tenant, int known, List<String> ids) throws SQLException {
    if (statements.number(0, lockTenant, tenant) == 0) {
      throw new StoreException("tenant: " + tenant + " (expected: a stored tenant)");
    }
    int last = last(tenant);
    if (known < 0 || known > last) {
      throw new StoreException("known: " + known + " (expected: 0.." + last + ")");
    }
    Map<String, Integer> numbers = HashMap.newHashMap(ids.size());
    if (known < last) {
      ids.forEach(id -> numbers.put(id, 0));
      read(tenant, known, (number, id) -> numbers.computeIfPresent(id, (k, none) -> number));
      numbers.values().removeIf(number -> number == 0);
    }
    int[] result = new int[ids.size()];
    Rows rows = statements.rows(INSERT);
    int next = last;
    for (int i = 0; i < result.length; i++) {
      String id = ids.get(i);
      Integer number = numbers.get(id);
      if (number == null) {
        number = ++next;
        numbers.put(id, number);
        rows.number(tenant).number(number).text(id).end();
      }
      result[i] = number;
    }
    rows.store();
    return result;
  }
}
