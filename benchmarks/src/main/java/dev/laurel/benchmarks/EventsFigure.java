package dev.laurel.benchmarks;

import dev.laurel.server.Laurel;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.KafkaServer;
import dev.laurel.stack.PostgresServer;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Events a second from a topic that is full to ranks that are visible: a pod's JSON, one board,
 * fsync on, the broker (and PostgreSQL) on the same machine. Also where the time went.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.EventsFigure [sqlite|postgresql [EVENTS]]</pre>
 */
public final class EventsFigure {
  private static final String KEY = "benchmark-admin-key-1";
  private static final String TOPIC = "pod-bench-score-updates";
  private static final int USERS = 100_000;
  private static final int PARTITIONS = 4;
  private static final Pattern TAKEN =
      Pattern.compile("laurel_events_total\\{outcome=\"[A-Z]+\",topic=\"[^\"]+\"} ([0-9.E]+)");

  /** By the innermost frame that names one. */
  private static final Map<String, String> STAGES =
      Map.ofEntries(
          Map.entry("KafkaConsumer.poll", "poll"),
          Map.entry("http.Json.read", "parse"),
          Map.entry("JsonEvents.decode", "transform"),
          Map.entry("ScorePipeline.submit", "validate"),
          Map.entry("EventBatch.await", "wait for the commit"),
          Map.entry("KafkaSource.settle", "settle"),
          Map.entry("GroupCommitter.assignUsers", "users"),
          Map.entry("GroupCommitter.openSeasons", "score"),
          Map.entry("BatchScores.decide", "score"),
          Map.entry("CommitBatch.expect", "read entries"),
          Map.entry("LedgerTables.append", "ledger lines"),
          Map.entry("RedoTable.append", "entries"),
          Map.entry("EntryTable.put", "entries"),
          Map.entry("BatchLedger.write", "ledger lines"),
          Map.entry("BatchEntries.write", "entries"),
          Map.entry("SQLiteConnection.commit", "commit"),
          Map.entry("PgConnection.commit", "commit"),
          Map.entry("BatchDrafts.finish", "wait for the index"),
          Map.entry("CommitBatch.publish", "publish"),
          Map.entry("LocalRankIndex.draft", "index"));

  private final HttpClient client = HttpClient.newHttpClient();

  private EventsFigure() {}

  public static void main(String[] args) throws Exception {
    boolean postgres = args.length > 0 && args[0].equals("postgresql");
    int events = args.length < 2 ? 1_000_000 : Integer.parseInt(args[1]);
    try (WorkFolder folder = WorkFolder.create("laurel-events");
        PostgresServer database = postgres ? PostgresServer.start(folder.path()) : null;
        KafkaServer kafka = KafkaServer.start(folder.path())) {
      Configuration settings =
          Configuration.defaults()
              .with(Settings.PORT, "0")
              .with(Settings.DATA, folder.path().resolve("data").toString())
              .with(Settings.ADMIN_KEY, KEY);
      new EventsFigure()
          .run(
              database == null
                  ? settings
                  : settings.with(Settings.DATABASE_URL, database.url(database.newDatabase())),
              kafka,
              events);
    }
  }

  private void run(Configuration settings, KafkaServer kafka, int events) throws Exception {
    try (Laurel laurel = Laurel.start(settings)) {
      post(laurel, "/api/v1/leaderboards", "{'UUID':'bench'}");
      post(laurel, "/api/v1/pods", "{'podId':'bench'}");
      post(
          laurel,
          "/api/v1/pods/bench/schemas",
          "{'schemaVersion':'1','status':'ACTIVE','fieldMappings':{'userId':'player.id',"
              + "'score':'points','timestamp':'at','UUID':'board'},"
              + "'timestampFormat':'EPOCH_MILLIS','scoreType':'integer'}");
    }
    fill(kafka, events);
    try (Laurel laurel = Laurel.start(settings.with(Settings.KAFKA_BOOTSTRAP, kafka.bootstrap()))) {
      measure(laurel, events);
    }
  }

  private static void fill(KafkaServer kafka, int events) throws Exception {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", kafka.bootstrap(), "linger.ms", 20, "batch.size", 1 << 18);
    try (Admin admin = Admin.create(properties);
        Producer<byte[], byte[]> producer =
            new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      admin
          .createTopics(List.of(new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.empty())))
          .all()
          .get();
      Random random = new Random(42);
      long now = System.currentTimeMillis();
      for (int i = 0; i < events; i++) {
        String event =
            "{\"player\":{\"id\":\"player-%d\"},\"points\":%d,\"at\":%d,\"board\":\"bench\",\"mode\":\"ranked\"}"
                .formatted(random.nextInt(USERS), random.nextInt(1_000_000), now - events + i);
        producer.send(
            new ProducerRecord<>(
                TOPIC, i % PARTITIONS, null, event.getBytes(StandardCharsets.UTF_8)));
      }
      producer.flush();
    }
  }

  private void measure(Laurel laurel, int events) throws Exception {
    long start = System.nanoTime();
    long warm = 0;
    long warmTaken = 0;
    Map<String, Long> before = Map.of();
    StageSampler sampler = null;
    long taken;
    while ((taken = taken(laurel)) < events) {
      if (warm == 0 && taken > events / 5) {
        warm = System.nanoTime();
        warmTaken = taken;
        before = cpu();
        sampler = new StageSampler(STAGES, "laurel-kafka", "laurel-commit", "laurel-draft");
      }
      Thread.sleep(50);
    }
    long end = System.nanoTime();
    if (sampler != null) {
      sampler.close();
    }
    double all = (end - start) / 1e9;
    double steady = (end - warm) / 1e9;
    System.out.printf(
        "%,d events in %.1f s: %,.0f a second; after the first fifth %,.0f a second%n",
        events, all, events / all, (events - warmTaken) / steady);
    String metrics = send(laurel, HttpRequest.newBuilder(), "/metrics");
    double commits = metric(metrics, "db_latency_ms_count");
    System.out.printf(
        "  %,.0f commits of %,.0f lines, %.1f ms each%n",
        commits,
        metric(metrics, "laurel_commit_batch_lines_sum") / commits,
        metric(metrics, "db_latency_ms_sum") / commits);
    Map<String, Long> after = cpu();
    for (Map.Entry<String, Long> thread : after.entrySet()) {
      long nanos = thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
      if (nanos / 1e9 > 0.01 * steady) {
        System.out.printf(
            "  %-24s %5.1f %% of a core%n", thread.getKey(), 100 * nanos / 1e9 / steady);
      }
    }
  }

  private static double metric(String metrics, String name) {
    Matcher matcher = Pattern.compile("(?m)^" + name + " ([0-9.E]+)").matcher(metrics);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
  }

  private static Map<String, Long> cpu() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<String, Long> nanos = new TreeMap<>();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null) {
        nanos.merge(
            thread.getThreadName().replaceAll("-\\d+$", ""),
            Math.max(0, threads.getThreadCpuTime(thread.getThreadId())),
            Long::sum);
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      nanos.merge("garbage collection", 1_000_000 * collector.getCollectionTime(), Long::sum);
    }
    ProcessHandle.current()
        .descendants()
        .forEach(
            process ->
                nanos.merge(
                    "broker and database",
                    process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos(),
                    Long::sum));
    nanos.put(
        "this process in all",
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos());
    return nanos;
  }

  private long taken(Laurel laurel) throws Exception {
    Matcher matcher = TAKEN.matcher(send(laurel, HttpRequest.newBuilder(), "/metrics"));
    double sum = 0;
    while (matcher.find()) {
      sum += Double.parseDouble(matcher.group(1));
    }
    return (long) sum;
  }

  private void post(Laurel laurel, String path, String json) throws Exception {
    send(
        laurel,
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json.replace('\'', '"'))),
        path);
  }

  private String send(Laurel laurel, HttpRequest.Builder request, String path)
      throws IOException, InterruptedException {
    request.uri(URI.create(laurel.url() + path)).header("X-API-Key", KEY);
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(path + ": " + response.body());
    }
    return response.body();
  }
}
