package dev.laurel.server.cli;

import dev.laurel.server.bench.Amounts;
import dev.laurel.server.bench.Bench;
import dev.laurel.server.bench.BenchOptions;
import dev.laurel.server.bench.LaneSpec;
import dev.laurel.server.bench.RunResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code laurel bench}: how fast it is, on the machine of who asks. */
@Command(
    name = "bench",
    sortOptions = false,
    description = "Measure a server: one that runs, or one started for it.",
    footer = {
      "",
      "Operations:",
      "  rank    one user's rank              put     one user's score, durable",
      "  top     the first 10                 scores  a batch of scores, durable",
      "  around  a user and 5 on each side    ranks   the ranks of a batch of users",
      "",
      "With --rate the loop is open: requests are due by a schedule, and their latency counts from",
      "then, also while they wait for a free connection (no coordinated omission). Without it the",
      "loop is closed: each connection sends when it has its answer; that shows how much goes",
      "through, not how long users wait.",
      "",
      "Examples:",
      "  laurel bench                                      reads as fast as possible",
      "  laurel bench --mix rank=90,put=10 --rate 20000    a mix at a given rate",
      "  laurel bench --rate rank=10000,put=5000           a rate for each operation",
      "  laurel bench --connections rank=64,put=64 --rate put=5000",
      "                                      reads as fast as possible beside 5,000 writes/s",
      "  laurel bench --url http://127.0.0.1:8080 --report bench.html",
      "",
      "Exit status: 0 done; 7 done, but some requests failed; 8 it could not run; 2 a wrong option."
    })
final class BenchCommand implements Callable<Integer> {
  private static final int MAX_BATCH = 1000;

  private final Map<String, String> env;
  private final Path folder;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "a running server, http(s)://HOST:PORT; without it one is started and removed")
  @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "an API key with the scopes read, ingest and manage, for --url; others see it in the list"
              + " of processes%nLAUREL_ADMIN_KEY, default: none")
  @Nullable String key;

  @Mixin final TlsOptions tls;

  @Option(
      names = "--board",
      paramLabel = "NAME",
      description = "the board to make%ndefault: bench- and the time")
  @Nullable String board;

  @Option(
      names = "--reuse",
      description =
          "use the board of --board as it is, with the users of a bench before; load nothing, and"
              + " leave it open")
  boolean reuse;

  @Option(
      names = "--keep",
      description = "leave the board that was made open, on a running server, for --reuse")
  boolean keep;

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "users on the board%ndefault: 1000000")
  int users;

  @Option(
      names = "--mix",
      paramLabel = "MIX",
      description =
          "shares such as rank=90,put=10, an operation, or reads (rank=80,around=10,top=10), game"
              + " (rank=70,around=10,top=10,put=10), writes (put)%ndefault: rank")
  @Nullable String mix;

  @Option(
      names = "--rate",
      paramLabel = "N|OP=N,…",
      defaultValue = "",
      description =
          "requests a second: in all, shared out by --mix, or for each operation%ndefault: as fast"
              + " as possible")
  String rate;

  @Option(
      names = "--connections",
      paramLabel = "N|OP=N,…",
      defaultValue = "64",
      description =
          "connections: shared by all operations, or some for each; then an operation without a"
              + " rate runs as fast as possible%ndefault: 64")
  String connections;

  @Option(
      names = "--pipeline",
      paramLabel = "N",
      defaultValue = "1",
      description = "1..1024 requests under way on a connection%ndefault: 1")
  int pipeline;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "event loops of the client%ndefault: 1")
  int threads;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "what is measured, such as 500ms, 10s or 2m%ndefault: 10s")
  String duration;

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "the same load before, not counted%ndefault: 5s")
  String warmup;

  @Option(
      names = "--distribution",
      paramLabel = "uniform|zipf",
      defaultValue = "uniform",
      description = "which users are asked for%ndefault: uniform")
  String distribution;

  @Option(
      names = "--zipf-exponent",
      paramLabel = "X",
      defaultValue = "0.99",
      description = "above 0; the higher, the fewer users get most of it%ndefault: 0.99")
  double zipfExponent;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "1..1000 users in a request of ranks or scores%ndefault: 1000")
  int batch;

  @Option(
      names = "--decimals",
      paramLabel = "N",
      defaultValue = "0",
      description = "0..9 digits after the point of scores, and of the board%ndefault: 0")
  int decimals;

  @Option(
      names = "--windows",
      paramLabel = "SCHEDULE,…",
      split = ",",
      defaultValue = "all-time",
      description =
          "the windows of the board that is made, such as daily,weekly,all-time%ndefault: all-time")
  List<String> windows;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of the random users and scores%ndefault: 1")
  long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "write a page with plots; it needs no other file")
  @Nullable Path report;

  @Option(names = "--json", paramLabel = "FILE", description = "write the result for programs")
  @Nullable Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  BenchCommand(Map<String, String> env, Path folder) {
    this.env = env;
    this.tls = new TlsOptions(env);
    this.folder = folder;
  }

  @Override
  public Integer call() throws InterruptedException {
    RunResult result =
        Bench.run(options(), spec.commandLine().getOut(), spec.commandLine().getErr());
    return result.errorCount() == 0 ? ExitCode.OK : ExitCode.BENCH_ERRORS;
  }

  BenchOptions options() {
    try {
      if (mix != null && Amounts.isPerOperation(rate)) {
        throw wrong("--mix", mix, "none with a --rate for each operation");
      }
      if (mix != null && rate.isEmpty() && Amounts.isPerOperation(connections)) {
        throw wrong("--mix", mix, "none with --connections for each operation");
      }
      if (reuse && board == null) {
        throw wrong("--reuse", "alone", "with --board");
      }
      if (reuse && url == null) {
        throw wrong("--reuse", "alone", "with --url");
      }
      if (!distribution.equals("uniform") && !distribution.equals("zipf")) {
        throw wrong("--distribution", distribution, "uniform or zipf");
      }
      if (!(zipfExponent > 0 && zipfExponent <= 10)) {
        throw wrong("--zipf-exponent", zipfExponent, "above 0, up to 10");
      }
      String name = board != null ? board : "bench-" + Instant.now().getEpochSecond();
      if (!name.matches("[A-Za-z0-9._:~-]{1,128}")) {
        throw wrong("--board", name, "1..128 of letters, digits and - _ . : ~");
      }
      return new BenchOptions(
          url,
          key != null ? key : env.get("LAUREL_ADMIN_KEY"),
          tls.read(),
          name,
          reuse,
          keep,
          lanes(),
          within("--threads", threads, 256),
          within("--pipeline", pipeline, 1024),
          Amounts.duration("--warmup", warmup),
          measured(),
          within("--users", users, 100_000_000),
          distribution.equals("zipf"),
          zipfExponent,
          within("--batch", batch, MAX_BATCH),
          decimals(),
          List.copyOf(windows),
          seed,
          report == null ? null : folder.resolve(report),
          json == null ? null : folder.resolve(json),
          // The launcher knows: Java can tell of standard input and output only.
          Boolean.getBoolean("laurel.terminal"),
          command());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private List<LaneSpec> lanes() {
    return LaneSpec.of(mix == null ? "rank" : mix, rate, connections);
  }

  private Duration measured() {
    Duration time = Amounts.duration("--duration", duration);
    if (time.isZero()) {
      throw wrong("--duration", duration, "above 0");
    }
    return time;
  }

  private int decimals() {
    if (decimals < 0 || decimals > 9) {
      throw wrong("--decimals", decimals, "0..9");
    }
    return decimals;
  }

  private static int within(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw wrong(option, value, "1.." + most);
    }
    return value;
  }

  private static IllegalArgumentException wrong(String option, Object value, String expected) {
    return new IllegalArgumentException(option + ": " + value + " (expected: " + expected + ")");
  }

  /** For the report, without the key. */
  private String command() {
    List<String> given = spec.commandLine().getParseResult().originalArgs();
    // The verb is there if it was reached through the root.
    StringBuilder text = new StringBuilder("laurel bench");
    boolean secret = false;
    for (String part : given.subList(given.indexOf("bench") + 1, given.size())) {
      text.append(' ').append(secret ? "…" : part.startsWith("--key=") ? "--key=…" : part);
      secret = part.equals("--key");
    }
    return text.toString();
  }
}
