package dev.laurel.sql;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where the database is and as whom to connect. Parameters of the URL win over what Laurel would
 * set.
 *
 * @param url for JDBC, with one host or several: {@code jdbc:postgresql://a,b:5433/laurel}
 * @param user null if the URL says it
 * @param password null if the URL says it, or there is none
 */
record PostgresAddress(String url, @Nullable String user, @Nullable String password) {
  private static final String JDBC = "jdbc:postgresql://";

  /**
   * Also takes what other tools call a database URL: {@code postgresql://user:password@host/name}.
   * A user or password that is given beside the URL wins.
   */
  static PostgresAddress of(String text, @Nullable String user, @Nullable String password) {
    if (text.startsWith(JDBC)) {
      return new PostgresAddress(text, user, password);
    }
    String scheme = text.substring(0, Math.max(0, text.indexOf("://"))).toLowerCase(Locale.ROOT);
    if (!scheme.equals("postgresql") && !scheme.equals("postgres")) {
      throw notOne();
    }
    String rest = text.substring(scheme.length() + "://".length());
    int path = rest.indexOf('/');
    int at = rest.lastIndexOf('@', path < 0 ? rest.length() : path);
    String[] who = at < 0 ? new String[0] : rest.substring(0, at).split(":", 2);
    return new PostgresAddress(
        JDBC + rest.substring(at + 1),
        user == null && who.length > 0 ? decoded(who[0]) : user,
        password == null && who.length > 1 ? decoded(who[1]) : password);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /**
   * @param silenceSeconds after which an answer is not waited for any more; 0 for ever
   */
  PGSimpleDataSource source(int silenceSeconds) {
    Properties given = Driver.parseURL(url, null);
    if (given == null) {
      throw notOne();
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    Map<PGProperty, String> defaults =
        Map.of(
            PGProperty.APPLICATION_NAME,
            "laurel",
            PGProperty.CONNECT_TIMEOUT,
            "3",
            PGProperty.LOGIN_TIMEOUT,
            "10",
            PGProperty.CANCEL_SIGNAL_TIMEOUT,
            "2",
            PGProperty.SOCKET_TIMEOUT,
            Integer.toString(silenceSeconds),
            PGProperty.TCP_KEEP_ALIVE,
            "true",
            // Of several hosts the one that takes writes, which is another one after a failover.
            PGProperty.TARGET_SERVER_TYPE,
            "primary",
            PGProperty.REWRITE_BATCHED_INSERTS,
            "true",
            // Else the driver holds all rows of an answer in memory; a season may have millions.
            PGProperty.DEFAULT_ROW_FETCH_SIZE,
            "5000");
    try {
      for (Map.Entry<PGProperty, String> each : defaults.entrySet()) {
        if (!each.getKey().isPresent(given)) {
          source.setProperty(each.getKey().getName(), each.getValue());
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the driver does not know its own properties", e);
    }
    if (user != null) {
      source.setUser(user);
    }
    if (password != null) {
      source.setPassword(password);
    }
    source.setUrl(url); // of what is set already it changes nothing
    return source;
  }

  private static IllegalArgumentException notOne() {
    // Not shown: a password may be in it.
    return new IllegalArgumentException(
        "database-url: (hidden) (expected: jdbc:postgresql://host/name, or"
            + " postgresql://user:password@host/name)");
  }

  /** Without what may be secret. */
  @Override
  public String toString() {
    return url.replaceFirst("\\?.*", "");
  }
}
