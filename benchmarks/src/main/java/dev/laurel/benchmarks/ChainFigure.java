package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.sql.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger's chain costs: the same lines with and without a key, in turns, in process, on
 * SQLite with fsync on.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.ChainFigure</pre>
 */
public final class ChainFigure {
  private static final int ROUNDS = 7;
  private static final int LINES = 300_000;

  private ChainFigure() {}

  private static InProcess open(Path folder, @Nullable LedgerKey key) {
    return new InProcess(SqliteStore.open(folder, InstantSource.system(), key, false));
  }

  private static void compare(int lines) throws IOException {
    Path plainFolder = Files.createTempDirectory("laurel-plain");
    Path chainedFolder = Files.createTempDirectory("laurel-chained");
    LedgerKey key = LedgerKey.of("a key of a benchmark, which is no secret");
    try (InProcess plain = open(plainFolder, null);
        InProcess chained = open(chainedFolder, key)) {
      Random random = new Random(lines);
      Board without = plain.board(1, "plain", WindowDefinition.ALL_TIME);
      Board with = chained.board(1, "chained", WindowDefinition.ALL_TIME);
      plain.rate(without, random, lines, LINES);
      chained.rate(with, random, lines, LINES);
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        double before = plain.rate(without, random, lines, LINES);
        double after = chained.rate(with, random, lines, LINES);
        ratios.add(before / after);
        System.out.printf(
            "%,d a request: without %,.0f lines/s, chained %,.0f lines/s: costs %.3f%n",
            lines, before, after, before / after);
      }
      ratios.sort(null);
      System.out.printf("%,d a request: median cost %.3f%n", lines, ratios.get(ROUNDS / 2));
    }
    SeasonFigure.delete(plainFolder);
    SeasonFigure.delete(chainedFolder);
  }

  public static void main(String[] args) throws IOException {
    compare(1_000);
    compare(1);
  }
}
