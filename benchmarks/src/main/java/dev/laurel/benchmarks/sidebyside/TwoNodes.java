package dev.laurel.benchmarks.sidebyside;

import dev.laurel.stack.PostgresServer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Goal n: two nodes with their own indexes on one PostgreSQL. On one machine two nodes cannot
 * answer more than one, so what counts is how many reads a CPU second of the nodes answers.
 */
final class TwoNodes {
  private TwoNodes() {}

  static void run(SideBySide run) {
    try (PostgresServer postgres = PostgresServer.start(run.children.folder())) {
      Map<String, String> settings =
          Map.of("LAUREL_DATABASE_URL", postgres.url(postgres.newDatabase()));
      LaurelServer first =
          LaurelServer.start(run.children, run.root, run.users, "node-1", settings);
      LaurelServer second = first.another("node-2");
      run.checkRanks(first.api());
      run.checkRanks(second.api());
      Contest.Load one = run.read(first.api(), "rank.lua");
      Contest.Load other = run.read(second.api(), "rank.lua");
      CpuLoad single = new CpuLoad("one node, rank", run.children, one, "node-1");
      CpuLoad both =
          new CpuLoad(
              "two nodes, rank",
              run.children,
              seconds -> {
                CompletableFuture<Double> beside =
                    CompletableFuture.supplyAsync(() -> other.measure(seconds));
                return one.measure(seconds) + beside.join();
              },
              "node-1",
              "node-2");
      Contest contest = new Contest(run.options);
      contest.rate("one node, rank by HTTP", single);
      contest.rate("two nodes, rank by HTTP", both);
      contest.run("nodes");
      run.report.ratio(
          "n", "two nodes' reads a CPU second, over one's", both.byCpu, single.byCpu, ">= 0.9");
    }
  }
}
