package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.sql.SqliteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger's chain costs: the same lines with and without a key, in turns, in process, on
 * SQLite with fsync on.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.ChainFigure</pre>
 */
public final class ChainFigure {
  private static final int ROUNDS = 7;

  private ChainFigure() {}

  private static InProcess open(Path folder, @Nullable LedgerKey key) {
    return new InProcess(SqliteStore.open(folder, InstantSource.system(), key, false));
  }

  private static void compare(int lines) throws IOException {
    LedgerKey key = LedgerKey.of("a key of a benchmark, which is no secret");
    try (WorkFolder plainFolder = WorkFolder.create("laurel-plain");
        WorkFolder chainedFolder = WorkFolder.create("laurel-chained");
        InProcess plain = open(plainFolder.path(), null);
        InProcess chained = open(chainedFolder.path(), key)) {
      Board without = plain.board(1, "plain", WindowDefinition.ALL_TIME);
      Board with = chained.board(1, "chained", WindowDefinition.ALL_TIME);
      double cost =
          InTurns.cost(
              new InTurns.Side("without", plain, without),
              new InTurns.Side("chained", chained, with),
              lines,
              ROUNDS);
      System.out.printf("%,d a request: median cost %.3f%n", lines, cost);
    }
  }

  public static void main(String[] args) throws IOException {
    compare(1_000);
    compare(1);
  }
}
