package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.sql.PostgresStore;
import dev.laurel.stack.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Random;

/**
 * What a commit takes while somebody holds a snapshot of the database, as pg_dump does: the time of
 * the last commits over that of the first ones. One request a commit, each of another user, so that
 * what is measured is what every commit changes. Argument: commits.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.SnapshotFigure 50000</pre>
 */
public final class SnapshotFigure {
  private static final int PART = 10;

  private SnapshotFigure() {}

  public static void main(String[] args) throws Exception {
    int commits = args.length > 0 ? Integer.parseInt(args[0]) : 50_000;
    try (WorkFolder folder = WorkFolder.create("laurel-snapshot");
        PostgresServer server = PostgresServer.start(folder.path())) {
      String url = server.url(server.newDatabase());
      try (InProcess node = new InProcess(PostgresStore.open(url, null, null, null));
          Connection dump = DriverManager.getConnection(url);
          Statement holding = dump.createStatement()) {
        Board board = node.board(1, "board", WindowDefinition.ALL_TIME);
        Random random = new Random(1);
        node.rate(board, random, 1000, 2 * commits); // so that users are known
        node.commits(board, random, commits / PART);
        dump.setAutoCommit(false);
        dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        holding.executeQuery("SELECT count(*) FROM shards").close();
        double first = 0;
        double last = 0;
        for (int part = 0; part < PART; part++) {
          last = node.commits(board, random, commits / PART);
          first = part == 0 ? last : first;
          System.out.printf("after %,d commits: %.0f µs each%n", (part + 1) * commits / PART, last);
        }
        System.out.printf(
            "a commit at the end over one at the beginning, with a snapshot held: %.2f (goal: <"
                + " 1.5)%n",
            last / first);
      }
    }
  }
}
