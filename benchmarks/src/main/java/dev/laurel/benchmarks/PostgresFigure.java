package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Schedule;
import dev.laurel.sql.PostgresStore;
import dev.laurel.stack.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a group commit is worth on PostgreSQL: durable updates a second through the pipeline
 * (ledger, entries and ranks), over one upsert a transaction on the same server, which keeps
 * entries only. fsync and synchronous_commit are on.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.PostgresFigure</pre>
 */
public final class PostgresFigure {
  private static final int ROUNDS = 3;
  private static final int USERS = 100_000;
  private static final int UPSERTS = 5_000;

  private final String url;

  private PostgresFigure(String url) {
    this.url = url;
  }

  /** Upserts a second, each a transaction, by so many connections at once. */
  private double upserts(int connections) throws Exception {
    try (var executor = Executors.newFixedThreadPool(connections)) {
      long start = System.nanoTime();
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        Random random = new Random(i);
        clients.add(
            executor.submit(
                () -> {
                  upsert(random, UPSERTS / connections);
                  return true;
                }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
      return UPSERTS / ((System.nanoTime() - start) / 1e9);
    }
  }

  private void upsert(Random random, int count) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement upsert =
            connection.prepareStatement(
                "INSERT INTO single (season, user_number, score, reached) VALUES (1, ?, 1, ?)"
                    + " ON CONFLICT (season, user_number)"
                    + " DO UPDATE SET score = single.score + 1, reached = excluded.reached")) {
      for (int i = 0; i < count; i++) {
        upsert.setInt(1, random.nextInt(USERS));
        upsert.setLong(2, i);
        upsert.executeUpdate();
      }
    }
  }

  /** Beside Laurel's own, which are made in an empty database only. */
  private void createTable() throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE single (season bigint, user_number integer, score bigint, reached bigint,"
              + " PRIMARY KEY (season, user_number))");
    }
  }

  /** With indexes, after the updates of this run, which leave dead rows behind as any do. */
  private void tellSizes() throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String table : List.of("entries", "ledger", "users")) {
        try (ResultSet found =
            statement.executeQuery(
                "SELECT count(*), pg_total_relation_size('%s') FROM %s".formatted(table, table))) {
          found.next();
          System.out.printf(
              "%s: %,d rows of %.0f bytes%n",
              table, found.getLong(1), (double) found.getLong(2) / found.getLong(1));
        }
      }
    }
  }

  private void run() throws Exception {
    try (InProcess core = new InProcess(PostgresStore.open(url, null, null, null))) {
      createTable();
      Board board = core.board(1, "board", WindowDefinition.ALL_TIME);
      Random random = new Random(1);
      core.rate(board, random, 1000, 60_000); // so that all users are known
      core.rate(board, random, 1, 60_000);
      upserts(8);
      for (int i = 0; i < ROUNDS; i++) {
        double one = upserts(1);
        double eight = upserts(8);
        double single = core.rate(board, random, 1, 60_000);
        double batch = core.rate(board, random, 1000, 60_000);
        System.out.printf(
            "upserts/s: 1 connection %,.0f, 8 connections %,.0f; Laurel's updates/s: single requests"
                + " %,.0f, by the thousand %,.0f; over 1 connection %.1f and %.1f, over 8 %.1f and"
                + " %.1f (goal: >= 10)%n",
            one, eight, single, batch, single / one, batch / one, single / eight, batch / eight);
      }
      asUsersRunIt(core, random);
      tellSizes();
    }
  }

  /**
   * Three windows, every submission with an event id and metadata: what a database is planned by.
   */
  private static void asUsersRunIt(InProcess core, Random random) {
    Board board =
        core.board(
            1,
            "usual",
            WindowDefinition.ALL_TIME,
            window("daily", new Schedule.Daily()),
            window("weekly", new Schedule.Weekly(DayOfWeek.MONDAY)));
    core.usualRate(board, random, 1000, 60_000);
    for (int i = 0; i < ROUNDS; i++) {
      System.out.printf(
          "three windows, event ids, metadata: updates/s by single requests %,.0f, by the thousand"
              + " %,.0f%n",
          core.usualRate(board, random, 1, 60_000), core.usualRate(board, random, 1000, 60_000));
    }
  }

  private static WindowDefinition window(String name, Schedule schedule) {
    return new WindowDefinition(name, schedule, "UTC", null, null, null, List.of());
  }

  public static void main(String[] args) throws Exception {
    try (WorkFolder folder = WorkFolder.create("laurel-postgres");
        PostgresServer server = PostgresServer.start(folder.path())) {
      new PostgresFigure(server.url(server.newDatabase())).run();
    }
  }
}
