package dev.laurel.benchmarks.sidebyside;

import java.util.List;
import java.util.Map;

/** Goals r and s: a Laurel with its ranks in the Redis that the thin service asks too. */
final class SharedIndex {
  private static final String LAUREL = "laurel-redis";

  private SharedIndex() {}

  static void run(SideBySide run) {
    Api thin = run.rivals.lettuce(run.redis());
    String redis = "redis://127.0.0.1:" + run.redis().port();
    long before = run.redis().usedMemory();
    LaurelServer laurel =
        LaurelServer.start(
            run.children, run.root, run.users, LAUREL, Map.of("LAUREL_REDIS_URL", redis));
    Series entry = Series.cost("Laurel on Redis, used_memory an entry", "bytes");
    entry.add((double) (run.redis().usedMemory() - before) / run.users.count());
    run.report.more(List.of(entry));
    run.checkRanks(thin);
    run.checkRanks(laurel.api());
    if (run.options.wants("r")) {
      contest(run, "r", "rank", laurel.api(), thin, "rank.lua", ">= 1.5");
    }
    if (run.options.wants("s")) {
      contest(run, "s", "top 10", laurel.api(), thin, "top.lua", ">= 3");
    }
  }

  /**
   * As they are, where client, service and Redis share the cores; and by what service and Redis
   * cost, which is what remains where the client is elsewhere.
   */
  private static void contest(
      SideBySide run,
      String letter,
      String what,
      Api laurel,
      Api thin,
      String script,
      String goal) {
    String ourName = "Laurel on Redis, " + what;
    String theirName = "Vert.x + Lettuce, " + what;
    Contest contest = new Contest(run.options);
    CpuLoad ourLoad = new CpuLoad(ourName, run.children, run.read(laurel, script), LAUREL, "redis");
    CpuLoad theirLoad =
        new CpuLoad(theirName, run.children, run.read(thin, script), "lettuce", "redis");
    Series ours = contest.rate(ourName + " by HTTP", ourLoad);
    Series theirs = contest.rate(theirName + " by HTTP", theirLoad);
    contest.run("Redis, " + what);
    run.report.ratio(letter, what + " with ranks in Redis, over Lettuce", ours, theirs, goal);
    run.report.ratio(
        letter + "2",
        "... a CPU second of service and Redis",
        ourLoad.byCpu,
        theirLoad.byCpu,
        goal);
  }
}
