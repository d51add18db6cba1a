package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code benchmarks/side-by-side}: measures and prints the goals of docs/benchmarks.md, each as a
 * ratio to a rival that ran in the same minutes on the same machine.
 *
 * <p>Progress goes to standard error, the Markdown to standard output.
 */
public final class SideBySide {
  private static final int READERS = 64;
  private static final int WRITERS = 256;
  private static final int BATCHERS = 8;
  private static final int BATCH = 1000;
  private static final Pattern NANOS = Pattern.compile("users (\\d+) nanos ([0-9.]+)");
  private static final Pattern BYTES = Pattern.compile("(?m)^all +([0-9.]+) bytes an entry");

  final Options options;
  final Path root;
  final Children children;
  final Users users;
  private final Wrk wrk;
  final Rivals rivals;
  final Report report;
  private final @Nullable LaurelServer laurel;
  private final @Nullable Redis redis;

  private SideBySide(Options options, Path root) throws IOException {
    this.options = options;
    this.root = root;
    this.children = new Children(root.resolve("benchmarks/target"));
    this.users = Users.of(options.users());
    this.wrk = new Wrk(children, root.resolve("benchmarks/rivals/load"), options.users());
    this.rivals = new Rivals(children, root);
    this.report = new Report(options, Machine.describe(children), Machine.load());
    say("starting and loading Redis and Laurel with %,d users", options.users());
    this.redis = options.wants("abdefrst") ? Redis.start(children, users) : null;
    this.laurel = options.wants("abcfgijklt") ? LaurelServer.start(children, root, users) : null;
  }

  public static void main(String[] args) throws IOException {
    List<String> given = List.of(args);
    if (given.contains("--help") || given.contains("-h")) {
      System.out.print(Options.HELP);
      return;
    }
    Options options;
    try {
      options = Options.parse(given);
    } catch (IllegalArgumentException e) {
      System.err.println("side-by-side: " + e.getMessage());
      System.exit(2);
      return;
    }
    Path root = Path.of(System.getProperty("laurel.root", ".")).toAbsolutePath().normalize();
    try {
      SideBySide run = new SideBySide(options, root);
      run.all();
      run.report.print(System.out);
    } catch (IllegalStateException e) {
      // Also a child that Ctrl-C ended before the hook did.
      System.err.println("side-by-side: " + e.getMessage());
      System.exit(1);
    }
    System.exit(0); // whatever still runs is ended by the hook
  }

  private void all() {
    // Fastify's two forms and the Lettuce service serve reads, writes and pages.
    Services services = options.wants("abcfjt") ? startServices() : new Services();
    Series reads = reads(services);
    top(services);
    writes(services, reads);
    batches();
    if (options.wants("kl")) {
      latencies();
    }
    if (options.wants("rs")) {
      SharedIndex.run(this);
    }
    if (options.wants("n")) {
      TwoNodes.run(this);
    }
    if (options.wants("i")) {
      restarts();
    }
    if (options.wants("e")) {
      memory();
    }
    if (options.wants("h")) {
      tenfold();
    }
  }

  /** The HTTP rivals that are up, by the name of their row. */
  private static final class Services {
    final List<String> names = new ArrayList<>();
    final List<Api> apis = new ArrayList<>();
    @Nullable Api bare;

    void add(String name, Api api) {
      names.add(name);
      apis.add(api);
    }
  }

  private Services startServices() {
    Services services = new Services();
    if (options.wants("bft")) {
      int cores = Runtime.getRuntime().availableProcessors();
      services.add("Vert.x + Lettuce", rivals.lettuce(redis()));
      services.add("Fastify + ioredis, 1 process", rivals.fastify(redis(), 1));
      if (cores > 1) {
        services.add("Fastify + ioredis, " + cores + " processes", rivals.fastify(redis(), cores));
      }
      services.apis.forEach(this::checkRanks);
    }
    checkRanks(laurel().api());
    if (options.wants("c")) {
      String answer = laurel().api().tryGet(Api.rankPath(Users.id(users.count() / 2)));
      services.bare = rivals.bare(Objects.requireNonNull(answer).length());
    }
    return services;
  }

  /** They must answer the same before it matters how fast. */
  void checkRanks(Api api) {
    for (int user = 0; user < users.count(); user += users.count() / 20) {
      long rank = api.rank(Users.id(user));
      if (rank != users.rank(user)) {
        throw new IllegalStateException(
            "%s: rank %d of %s (expected: %d)"
                .formatted(api.url(), rank, Users.id(user), users.rank(user)));
      }
    }
  }

  private @Nullable Series reads(Services services) {
    Contest contest = new Contest(options);
    Series inHttp =
        options.wants("abcf")
            ? contest.rate("Laurel, rank by HTTP", read(laurel().api(), "rank.lua"))
            : null;
    Series raw =
        options.wants("a")
            ? contest.rate("Redis ZREVRANK, redis-benchmark", redisLoad(1, zrevrank()))
            : null;
    List<Series> thin = new ArrayList<>();
    if (options.wants("b")) {
      for (int i = 0; i < services.apis.size(); i++) {
        thin.add(
            contest.rate(
                services.names.get(i) + ", rank by HTTP", read(services.apis.get(i), "rank.lua")));
      }
    }
    Series bare =
        services.bare == null
            ? null
            : contest.rate("bare Vert.x handler, a constant", read(services.bare, "rank.lua"));
    Series inProcess =
        options.wants("d")
            ? contest.rate("Laurel, rank(userId) in process, one core", this::rankInProcess)
            : null;
    Series piped =
        options.wants("d")
            ? contest.rate("Redis ZREVRANK, redis-benchmark -P 128", redisLoad(128, zrevrank()))
            : null;
    contest.run("reads");

    report.ratio("a", "HTTP rank reads over raw Redis", inHttp, raw, ">= 1.0");
    report.ratio("b", "... over the better thin service", inHttp, better(thin), ">= 3");
    report.ratio("c", "... over the bare handler", inHttp, bare, ">= 0.85");
    report.ratio("d", "rank(userId) in process over Redis -P 128", inProcess, piped, ">= 5");
    report.more(thin);
    return inHttp;
  }

  private void top(Services services) {
    if (!options.wants("t")) {
      return;
    }
    Contest contest = new Contest(options);
    List<Series> all = new ArrayList<>();
    all.add(contest.rate("Laurel, top 10 by HTTP", read(laurel().api(), "top.lua")));
    for (int i = 0; i < services.apis.size(); i++) {
      all.add(
          contest.rate(
              services.names.get(i) + ", top 10 by HTTP", read(services.apis.get(i), "top.lua")));
    }
    all.add(
        contest.rate(
            "Redis ZREVRANGE 0 9 WITHSCORES, redis-benchmark",
            redisLoad(1, "ZREVRANGE", Redis.RAW, "0", "9", "WITHSCORES")));
    contest.run("top 10");
    report.more(all);
  }

  private void writes(Services services, @Nullable Series reads) {
    if (!options.wants("f")) {
      return;
    }
    Contest contest = new Contest(options);
    Series durable = contest.rate("Laurel, durable single writes", write(laurel().api()));
    List<Series> others = new ArrayList<>();
    for (int i = 0; i < services.apis.size(); i++) {
      others.add(
          contest.rate(
              services.names.get(i) + ", writes to memory only", write(services.apis.get(i))));
    }
    contest.run("writes");
    report.ratio("f", "durable single writes over the reads of (a)", durable, reads, ">= 0.35");
    report.more(others);
  }

  private void batches() {
    Contest contest = new Contest(options);
    Series scores =
        options.wants("g")
            ? contest.rate("Laurel, durable writes, 1,000 a request", batch("scores"))
            : null;
    Series ranks =
        options.wants("j")
            ? contest.rate("Laurel, ranks by POST, 1,000 a request", batch("ranks"))
            : null;
    contest.run("batches");
    report.figure("g", "durable batch writes, fsync on", scores, ">= 100,000/s");
    report.figure("j", "ranks by POST .../ranks, 1,000 a request", ranks, ">= 1,000,000/s");
  }

  /** (k) and (l): all of it is Laurel's own, so the rounds only guard against a slow minute. */
  private void latencies() {
    OpenLoop loop = OpenLoop.prepare(children, root, laurel(), options);
    Series quiet = Series.cost("Laurel, p99 of a rank read at half of the most, no writes", "ms");
    Series busy =
        Series.cost("Laurel, p99 of a rank read at half of the most, 5,000 writes/s", "ms");
    Series top = Series.cost("Laurel, p95 of top 10, 10,000 reads/s and 5,000 writes/s", "ms");
    Series put = Series.cost("Laurel, p95 of a durable write, the same", "ms");
    Series slowest = Series.cost("Laurel, p99 of the slowest kind of request, the same", "ms");
    String half = options.wants("k") ? "rank=%.0f".formatted(loop.most() / 2) : "";
    for (int round = 0; round < options.rounds(); round++) {
      if (options.wants("k")) {
        say("reads at %s/s", half);
        tell(quiet, loop.at(half, "rank=64").of("rank", "p99"));
        tell(busy, loop.at(half + ",put=5000", "rank=64,put=64").of("rank", "p99"));
      }
      if (options.wants("l")) {
        OpenLoop.Figures mixed = loop.at("rank=9000,top=1000,put=5000", "rank=64,top=16,put=64");
        tell(top, mixed.of("top", "p95"));
        tell(put, mixed.of("put", "p95"));
        double reads = Math.max(mixed.of("rank", "p99"), mixed.of("top", "p99"));
        tell(slowest, Math.max(reads, mixed.of("put", "p99")));
      }
    }
    if (options.wants("k")) {
      report.figure("k", "p99 of a rank read at half of the most, 5,000 writes/s", busy, "<= 5 ms");
      report.ratio("k2", "... over the same without writes", busy, quiet, "<= 2");
    }
    if (options.wants("l")) {
      report.figure("l", "p95 of top 10 at 10,000 reads/s, 5,000 writes/s", top, "");
      report.figure("l2", "... of a durable write", put, "");
      report.figure("l3", "... p99 of the slowest kind of request", slowest, "");
    }
  }

  private static void tell(Series series, double value) {
    series.add(value);
    say("%-66s %s", series.name(), series.format(value));
  }

  private void restarts() {
    Series restart = Series.cost("Laurel, restart to the first right answer", "s");
    for (int round = 0; round < options.rounds(); round++) {
      double seconds = laurel().restart(Users.id(users.count() / 3));
      say("restart: %.2f s", seconds);
      restart.add(seconds);
    }
    report.figure("i", "restart to the first right answer", restart, "<= 5 s");
  }

  private void memory() {
    String output =
        java("-Xmx3g", "-XX:+UseSerialGC", "MemoryBenchmark", Integer.toString(users.count()));
    Matcher found = BYTES.matcher(output);
    if (!found.find()) {
      throw new IllegalStateException("MemoryBenchmark: " + output);
    }
    Series entry = Series.cost("Laurel, an entry with its user id", "bytes");
    entry.add(Double.parseDouble(found.group(1)));
    Series member = Series.cost("Redis, used_memory a member", "bytes");
    member.add(redis().bytesPerMember());
    report.ratio("e", "bytes an entry over Redis' a member", entry, member, "<= 0.65");
  }

  private void tenfold() {
    int many = users.count() * 10;
    String output =
        java(
            "-Xmx6g",
            "-XX:+UseG1GC",
            "RankFigure",
            Integer.toString(options.rounds()),
            "2",
            Integer.toString(users.count()),
            Integer.toString(many));
    Series one = Series.cost("rank(userId) at %,d".formatted(users.count()), "ns");
    Series ten = Series.cost("rank(userId) at %,d".formatted(many), "ns");
    Matcher found = NANOS.matcher(output);
    while (found.find()) {
      Series series = found.group(1).equals(Integer.toString(many)) ? ten : one;
      series.add(Double.parseDouble(found.group(2)));
    }
    report.ratio("h", "rank time at ten times the users", ten, one, "<= 2");
  }

  /** Look-ups a second, in a process of its own that is warm before it measures. */
  private double rankInProcess(int seconds) {
    String output =
        java(
            "-Xmx3g",
            "-XX:+UseG1GC",
            "RankFigure",
            "1",
            Integer.toString(Math.max(1, seconds / 2)),
            Integer.toString(users.count()));
    Matcher found = NANOS.matcher(output);
    if (!found.find()) {
      throw new IllegalStateException("RankFigure: " + output);
    }
    return 1e9 / Double.parseDouble(found.group(2));
  }

  private String java(String heap, String collector, String main, String... args) {
    List<String> command = new ArrayList<>(Rivals.javaCommand());
    // As ./laurel starts the server.
    command.addAll(
        List.of(heap, collector, "-XX:+UseCompactObjectHeaders", "-XX:+UseTransparentHugePages"));
    command.addAll(Rivals.classPath("dev.laurel.benchmarks." + main));
    command.addAll(List.of(args));
    return children.run(command);
  }

  Contest.Load read(Api api, String script) {
    return seconds -> wrk.run(api, script, READERS, seconds, "");
  }

  private Contest.Load write(Api api) {
    return seconds -> wrk.run(api, "put.lua", WRITERS, seconds, "");
  }

  private Contest.Load batch(String kind) {
    return seconds -> BATCH * wrk.run(laurel().api(), "batch.lua", BATCHERS, seconds, kind);
  }

  private static String[] zrevrank() {
    return new String[] {"ZREVRANK", Redis.RAW, "user___rand_int__"};
  }

  /** redis-benchmark counts requests, not seconds: as many as the last run did in that time. */
  private Contest.Load redisLoad(int pipeline, String... command) {
    double[] rate = {50_000};
    return seconds -> {
      long requests = Math.max(10_000, (long) (rate[0] * seconds));
      rate[0] = redis().benchmark(users.count(), requests, pipeline, command);
      return rate[0];
    };
  }

  private static @Nullable Series better(List<Series> series) {
    return series.stream().max((a, b) -> Double.compare(a.median(), b.median())).orElse(null);
  }

  private LaurelServer laurel() {
    return Objects.requireNonNull(laurel);
  }

  Redis redis() {
    return Objects.requireNonNull(redis);
  }

  private static void say(String format, Object... args) {
    System.err.printf("  " + format + "%n", args);
  }
}
