package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.server.Reachable;
import dev.laurel.server.SmallServer;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.Seeds;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fuzzer against a server with a small heap, beside two scrapers of its metrics. It takes
 * minutes, so only {@code benchmarks/fuzz} runs it: its name does not end with Test.
 */
@ExtendWith(Seeds.class)
class FuzzRun {
  private static final int HEAP_MEGABYTES = 256;
  private static final int SCRAPERS = 2;
  private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_]+)\"");

  @TempDir Path folder = Path.of("");

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong longestScrape = new AtomicLong();

  @Test
  void server_withASmallHeap_neverFails(Random random) throws Exception {
    int requests = Integer.getInteger("laurel.fuzz.requests", 200_000);
    int workers = Integer.getInteger("laurel.fuzz.workers", 6);
    try (TestIssuer issuer = new TestIssuer();
        SmallServer server = SmallServer.start(HEAP_MEGABYTES, folder, options(issuer));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Api admin = Api.admin(server);
      FuzzRequests made = FuzzRequests.of(admin, issuer);
      long begin = System.nanoTime();
      List<Future<?>> scrapers = new ArrayList<>();
      for (int i = 0; i < SCRAPERS; i++) {
        scrapers.add(threads.submit(() -> scrape(server)));
      }
      List<Future<?>> running = new ArrayList<>();
      AtomicLong left = new AtomicLong(requests);
      for (int i = 0; i < workers; i++) {
        Random own = new Random(random.nextLong());
        running.add(threads.submit(() -> work(server, made, left, new Mutations(own))));
      }
      try {
        for (Future<?> each : running) {
          each.get();
        }
      } finally {
        over.set(true);
        new TreeMap<>(counts).forEach((what, n) -> System.out.printf("%8d  %s%n", n.sum(), what));
      }
      for (Future<?> each : scrapers) {
        each.get();
      }
      System.out.printf(
          "%d requests by %d workers in %d s; the longest scrape took %d ms%n",
          requests,
          workers,
          (System.nanoTime() - begin) / 1_000_000_000,
          longestScrape.get() / 1_000_000);
      assertThat(server.isAlive()).isTrue();
      assertThat(server.log()).doesNotContain("OutOfMemoryError", "\"level\":\"ERROR\"");
      admin.board("afterwards");
    }
  }

  private static List<String> options(TestIssuer issuer) {
    return List.of(
        "--jwt-jwks-url",
        issuer.url(),
        "--jwt-issuer",
        TestIssuer.ISSUER,
        "--jwt-audience",
        TestIssuer.AUDIENCE,
        "--max-body-bytes",
        "65536",
        "--body-seconds",
        "2",
        "--address-rate-per-minute",
        "0",
        "--user-rate-per-minute",
        "0",
        "--award-rate-per-minute",
        "0");
  }

  private void work(Reachable server, FuzzRequests made, AtomicLong left, Mutations mutations) {
    List<OpenApiFile.Operation> operations = new OpenApiFile().operations();
    while (left.getAndDecrement() > 0) {
      byte[] request = made.next(mutations.any(operations), mutations);
      String answer = FuzzRequests.call(server, request);
      int status = FuzzRequests.check(request, answer);
      var code = CODE.matcher(answer);
      String named = status == 503 && code.find() ? " " + code.group(1) : "";
      counts.computeIfAbsent(status + named, _ -> new LongAdder()).increment();
      if (status >= 500 && !isDocumented(status, named.strip())) {
        left.set(0);
        throw new AssertionError(FuzzRequests.show(request) + "\n----\n" + answer);
      }
    }
  }

  /** What callers are told to come back for. */
  private static boolean isDocumented(int status, String code) {
    return status == 503
        && Arrays.stream(ErrorCode.values())
            .anyMatch(
                known -> known.kind() == ErrorCode.Kind.UNAVAILABLE && known.name().equals(code));
  }

  private void scrape(Reachable server) {
    while (!over.get()) {
      long begin = System.nanoTime();
      HttpResponse<String> answer =
          server.send(server.anonymous("/metrics").header("X-API-Key", TestServer.ADMIN_KEY));
      longestScrape.accumulateAndGet(System.nanoTime() - begin, Math::max);
      counts.computeIfAbsent("/metrics " + answer.statusCode(), _ -> new LongAdder()).increment();
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).contains("laurel_http_requests_seconds_count", "laurel_heap_tight");
    }
  }
}
