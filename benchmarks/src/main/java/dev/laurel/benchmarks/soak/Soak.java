package dev.laurel.benchmarks.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Runs a server with a small heap under everything at once: single writes, batches, reads, streams,
 * bad requests, bodies that do not end, and bursts of far more than fits. Looks every few seconds
 * at what it uses, and compares at the end every user's total with what was acknowledged.
 *
 * <p>{@code benchmarks/soak} starts it and says what the arguments are.
 */
public final class Soak {
  private static final int HEAP_MEGABYTES = 256;
  private static final int USERS = 20_000;
  private static final int LOOK_SECONDS = 5;
  private static final int COLLECT_SECONDS = 300;
  private static final int BURST_SECONDS = 60;
  private static final int BETWEEN_BURSTS = 40;
  private static final int BURST = 80;
  private static final int STREAMS = 20;

  private final SoakServer server;
  private final Totals totals = new Totals(USERS);
  private final Counts counts = new Counts();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong longestHealth = new AtomicLong();
  private final AtomicLong healthFailures = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private final double load;

  private Soak(SoakServer server, double load) {
    this.server = server;
    this.load = load;
  }

  /**
   * @param args minutes, the folder for what comes of it, how much load (1 is a moderate one)
   */
  public static void main(String[] args) throws Exception {
    double minutes = Double.parseDouble(args[0]);
    Path out = Files.createDirectories(Path.of(args[1]));
    Path folder = Files.createTempDirectory(out, "server-");
    boolean good;
    try (SoakServer server = SoakServer.start(folder, HEAP_MEGABYTES);
        Samples samples = new Samples(out.resolve("soak.csv"))) {
      Soak soak = new Soak(server, Double.parseDouble(args[2]));
      good = soak.run(minutes, samples);
      Files.writeString(out.resolve("soak.svg"), SoakPlot.draw(samples.all()));
    }
    Files.copy(
        folder.resolve("log"),
        out.resolve("soak.log"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    remove(folder);
    System.exit(good ? 0 : 1);
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Something that is done again and again, each time on time or as soon as possible. */
  private interface Step {
    void run() throws Exception;
  }

  private void every(double millis, Step step) {
    threads.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  long next = System.nanoTime();
                  while (!over.get()) {
                    try {
                      step.run();
                    } catch (Exception e) {
                      counts.lost();
                    }
                    next = Math.max(System.nanoTime(), next + (long) (millis * 1e6));
                    SoakLoad.pause((next - System.nanoTime()) / 1_000_000);
                  }
                }));
  }

  private boolean run(double minutes, Samples samples) throws Exception {
    SoakLoad first = new SoakLoad(server.port(), totals, counts);
    first.prepare();
    first.close();
    long start = System.nanoTime();
    double cpu = server.cpuSeconds();
    begin();
    long lastAll = counts.all();
    long last503 = counts.of(503);
    long lastLook = start;
    long nextCollection = start + TimeUnit.SECONDS.toNanos(BETWEEN_BURSTS);
    while (server.isAlive() && System.nanoTime() - start < minutes * 60e9) {
      SoakLoad.pause(TimeUnit.SECONDS.toMillis(LOOK_SECONDS));
      if (System.nanoTime() >= nextCollection) {
        server.collect();
        nextCollection += TimeUnit.SECONDS.toNanos(COLLECT_SECONDS);
      }
      long now = System.nanoTime();
      long all = counts.all();
      long refused = counts.of(503);
      samples.add(
          new Samples.Sample(
              (now - start) / 1e9,
              server.heapAfterGc(),
              server.live(),
              server.residentMegabytes(),
              server.threads(),
              server.descriptors(),
              longestHealth.getAndSet(0) / 1e6,
              (all - lastAll) * 1e9 / (now - lastLook),
              refused - last503));
      lastAll = all;
      last503 = refused;
      lastLook = now;
    }
    cpu = (server.cpuSeconds() - cpu) * 1e9 / (System.nanoTime() - start);
    over.set(true);
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(90));
    }
    return report(samples, cpu);
  }

  private void begin() {
    for (int i = 0; i < 4; i++) {
      SoakLoad load = new SoakLoad(server.port(), totals, counts);
      every(100 / this.load, load::single);
    }
    SoakLoad batches = new SoakLoad(server.port(), totals, counts);
    every(500 / load, batches::batch);
    for (int i = 0; i < 4; i++) {
      SoakLoad reads = new SoakLoad(server.port(), totals, counts);
      every(50 / load, reads::read);
    }
    Nuisance nuisance = new Nuisance(server.port(), counts);
    every(500 / load, nuisance::badRequest);
    for (int i = 0; i < 12; i++) {
      every(5000, nuisance::unfinishedBody);
    }
    for (int i = 0; i < STREAMS; i++) {
      every(1000, nuisance::watch);
    }
    every(TimeUnit.SECONDS.toMillis(BURST_SECONDS), this::burst);
    every(200, this::probe);
  }

  private void probe() throws IOException {
    long start = System.nanoTime();
    try (SoakConnection connection = new SoakConnection(server.port())) {
      if (connection.call("GET", "/api/v1/health", "").status() != 200) {
        healthFailures.incrementAndGet();
      }
    } catch (IOException e) {
      healthFailures.incrementAndGet();
    }
    longestHealth.accumulateAndGet(System.nanoTime() - start, Math::max);
  }

  /** Far more than fits, all at once; who is refused goes away. */
  private void burst() throws InterruptedException {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    SoakLoad caller = new SoakLoad(server.port(), totals, counts);
                    try {
                      caller.heavyBatch();
                    } catch (IOException e) {
                      counts.lost();
                    } finally {
                      caller.close();
                    }
                  }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
  }

  private boolean report(Samples samples, double cpu) throws IOException {
    boolean alive = server.isAlive();
    StringBuilder text = new StringBuilder();
    line(text, "the server lives", alive ? "yes" : "no");
    line(text, "health probes that failed", "" + healthFailures.get());
    line(
        text,
        "longest health probe",
        "%.0f ms".formatted(samples.greatest(Samples.Sample::health)));
    line(text, "answers", counts.toString());
    line(text, "CPU of the server", "%.0f %% of a core".formatted(100 * cpu));
    line(text, "heap after full collections, MB", samples.beginAndEnd(Samples.Sample::live));
    line(text, "heap after collections, MB", samples.beginAndEnd(Samples.Sample::heap));
    line(text, "resident, MB", samples.beginAndEnd(Samples.Sample::resident));
    line(text, "threads", samples.beginAndEnd(Samples.Sample::threads));
    line(text, "descriptors", samples.beginAndEnd(Samples.Sample::descriptors));
    int wrong = 0;
    if (alive) {
      for (String period : List.of("all-time", "daily", "hourly")) {
        int users = totals.wrong(server.port(), period);
        wrong += users;
        line(text, period + ": users with another total", users + " of " + totals.users());
      }
    }
    line(text, "points acknowledged", "%,d".formatted(totals.sum()));
    System.out.print(text);
    return alive && wrong == 0 && healthFailures.get() == 0;
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-42s %s%n", name, value));
  }
}
