package dev.laurel.server;

import dev.laurel.archive.FolderObjects;
import dev.laurel.archive.ObjectArchive;
import dev.laurel.archive.Objects;
import dev.laurel.archive.S3Objects;
import dev.laurel.core.access.Buckets;
import dev.laurel.core.access.Issuers;
import dev.laurel.core.award.RulesKey;
import dev.laurel.core.board.BoardLimits;
import dev.laurel.core.lifecycle.SeasonArchiver;
import dev.laurel.core.live.RangeMemory;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.rank.CatchUpObserver;
import dev.laurel.core.rank.DividedRankIndex;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.LocalRankIndex;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.StandInRankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.repair.CheckJob;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.time.TimeSource;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.jwt.JwtVerifier;
import dev.laurel.jwt.KeysObserver;
import dev.laurel.kafka.Kafka;
import dev.laurel.redis.RedisAddress;
import dev.laurel.redis.RedisBuckets;
import dev.laurel.redis.RedisRankIndex;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.http.BodyBudget;
import dev.laurel.server.http.ConnectionCap;
import dev.laurel.server.http.HeapPressure;
import dev.laurel.server.http.Limits;
import dev.laurel.server.http.Room;
import dev.laurel.server.http.UnreadAnswers;
import dev.laurel.server.limits.LocalBuckets;
import dev.laurel.server.limits.RateLimits;
import dev.laurel.server.limits.RefusedCredentials;
import dev.laurel.server.live.LiveStreams;
import dev.laurel.server.outbound.OutboundClient;
import dev.laurel.server.outbound.PublishedKeys;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.PrivateAddresses;
import dev.laurel.server.settings.Settings;
import dev.laurel.sql.PostgresStore;
import dev.laurel.sql.SqliteStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the settings decide: which adapters stand behind the ports, and how they are set up. What
 * cannot be is said in words for the person who started it.
 */
record FromSettings(Configuration settings) {
  private static final Logger LOG = LoggerFactory.getLogger(Laurel.class);

  /** Ranks and ids get one of so many parts of the heap. */
  private static final int INDEX_SHARE = 2;

  ObjectArchive archive(Path dataFolder) {
    String place = settings.find(Settings.ARCHIVE);
    Path work = dataFolder.resolve("archive-work");
    String endpoint = settings.find(Settings.S3_ENDPOINT);
    try {
      Objects objects =
          place == null
              ? new FolderObjects(dataFolder.resolve("archive"))
              : place.startsWith("s3:")
                  ? S3Objects.connect(
                      place,
                      endpoint == null ? null : URI.create(endpoint),
                      settings.find(Settings.S3_REGION))
                  : new FolderObjects(writable(Path.of(place).toAbsolutePath().normalize()));
      return new ObjectArchive(objects, work);
    } catch (IllegalArgumentException e) {
      throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  /** A folder that cannot be written would be seen when the first season is archived. */
  private static Path writable(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "trying", ".tmp"));
      return folder;
    } catch (IOException e) {
      throw new StartException(
          ExitCode.USAGE,
          "archive: %s: %s (expected: a folder that can be written)".formatted(folder, reason(e)),
          e);
    }
  }

  /** In words: the message of some exceptions is the file's name alone. */
  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "access is denied";
      case FileAlreadyExistsException _ -> "a file is in the way";
      default -> String.valueOf(e.getMessage());
    };
  }

  LiveStreams streams(MeterRegistry registry) {
    return new LiveStreams(
        new LiveStreams.Options(
            Duration.ofMillis(settings.get(Settings.SSE_HEARTBEAT)),
            Duration.ofMillis(settings.get(Settings.SSE_SLOW)),
            settings.get(Settings.SSE_CLIENTS),
            settings.get(Settings.SSE_CLIENTS_PER_ADDRESS)),
        settings.get(Settings.TRUSTED_PROXIES),
        registry);
  }

  BoardLimits boardLimits() {
    return new BoardLimits(
        settings.get(Settings.MAX_BOARDS), settings.bytes(Settings.BOARD_MEGABYTES, 16));
  }

  IndexMemory indexMemory(IndexMemory.Listener listener) {
    return new IndexMemory(settings.bytes(Settings.INDEX_MEGABYTES, INDEX_SHARE), listener);
  }

  /**
   * Ids are never unloaded, so a start without room for them would end in the middle of something,
   * and so would the next one.
   *
   * @param bytes of the ids of all users
   */
  void requireRoomForIds(long bytes, IndexMemory memory) {
    if (bytes > memory.limit()) {
      // Ranks keep a part, so that there is room for new users as well.
      long needed = Math.ceilDiv(bytes * memory.limit(), memory.idLimit());
      throw new StartException(
          ExitCode.HEAP,
          ("the ids of the stored users take %d MB of memory (expected: at most %d MB, by"
                  + " index-megabytes). Start with a heap of at least %d MB"
                  + " (LAUREL_JAVA_OPTS=-Xmx%3$dm)%s; docs/capacity.md tells how much is for what.")
              .formatted(
                  bytes >> 20,
                  memory.limit() >> 20,
                  Configuration.heapMegabytes(needed, INDEX_SHARE),
                  settings.get(Settings.INDEX_MEGABYTES) == 0
                      ? ""
                      : " and index-megabytes=" + Math.ceilDiv(needed, 1_048_576L)),
          null);
    }
  }

  RankIndex index(
      Store store,
      Users users,
      IndexMemory memory,
      CatchUpObserver observer,
      MeterRegistry registry) {
    String url = settings.find(Settings.REDIS_URL);
    LocalRankIndex inMemory = new LocalRankIndex(store, users, memory, observer);
    if (url == null) {
      return inMemory;
    }
    RedisMetrics redis = new RedisMetrics(registry);
    RedisRankIndex index =
        new RedisRankIndex(
            store, users, redisAddress(url), settings.get(Settings.REDIS_PREFIX), redis, observer);
    StandInRankIndex standIns =
        new StandInRankIndex(index, inMemory, StandInRankIndex.PATIENCE, System::nanoTime);
    redis.watch(registry, index, standIns);
    return new DividedRankIndex(standIns, inMemory);
  }

  private static RedisAddress redisAddress(String url) {
    try {
      return RedisAddress.parse(url);
    } catch (IllegalArgumentException e) {
      throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  SeasonArchiver.Times archiveTimes() {
    return new SeasonArchiver.Times(
        settings.get(Settings.ARCHIVE_AFTER), settings.get(Settings.PURGE_AFTER));
  }

  CheckJob.Times checkTimes() {
    return new CheckJob.Times(
        settings.get(Settings.CHECK_EVERY), settings.get(Settings.CHECK_HOUR));
  }

  ScorePipeline.Limits queue() {
    return new ScorePipeline.Limits(
        settings.get(Settings.QUEUE_LINES),
        settings.get(Settings.BATCH_LINES),
        settings.bytes(Settings.QUEUE_MEGABYTES, 8));
  }

  Room room() {
    int asked = settings.get(Settings.MAX_CONNECTIONS);
    return new Room(
        new ConnectionCap(
            asked == 0 ? ConnectionCap.limitOfProcess() : asked,
            settings.get(Settings.MAX_CONNECTIONS_PER_ADDRESS),
            settings.get(Settings.TRUSTED_PROXIES)::isTrusted),
        new BodyBudget(settings.bytes(Settings.BODY_MEGABYTES, 8)),
        new UnreadAnswers(settings.bytes(Settings.ANSWER_MEGABYTES, 16)),
        new HeapPressure(System::nanoTime));
  }

  /** Whether tenants may make the server call addresses inside, and plain ones for keys. */
  boolean privateHooks() {
    return settings.get(Settings.WEBHOOK_PRIVATE) == PrivateAddresses.ALLOW;
  }

  JwtVerifier tokens(Issuers issuers, OutboundClient outbound, InstantSource clock) {
    return new JwtVerifier(
        issuers,
        (uri, trusted) -> PublishedKeys.read(outbound, uri, trusted),
        new KeysObserver() {
          @Override
          public void failed(String from, Throwable why) {
            LOG.atWarn()
                .addKeyValue("from", from)
                .addKeyValue("why", why.toString())
                .log("keys of an issuer cannot be read; those before stay in force");
          }

          @Override
          public void back(String from, int attempts) {
            LOG.atInfo()
                .addKeyValue("from", from)
                .addKeyValue("failedAttempts", attempts)
                .log("keys of an issuer can be read again");
          }
        },
        clock);
  }

  Buckets buckets() {
    String url = settings.find(Settings.REDIS_URL);
    LocalBuckets local = new LocalBuckets();
    return url == null
        ? local
        : new RedisBuckets(
            redisAddress(url),
            settings.get(Settings.REDIS_PREFIX),
            local,
            why ->
                LOG.atDebug()
                    .addKeyValue("why", why.toString())
                    .log("limits are counted here alone"));
  }

  Limits limits(Buckets buckets, MeterRegistry registry) {
    return new RateLimits(
        new RateLimits.Rates(
            settings.get(Settings.ADDRESS_RATE),
            settings.get(Settings.ADDRESS_READ_RATE),
            settings.get(Settings.GAME_RATE),
            settings.get(Settings.USER_RATE),
            settings.get(Settings.AWARD_RATE)),
        buckets,
        settings.get(Settings.TRUSTED_PROXIES),
        new RefusedCredentials(settings.get(Settings.LOG_ADDRESSES)),
        registry);
  }

  @Nullable Issuer issuer() {
    String url = settings.find(Settings.JWT_JWKS_URL);
    String issuer = settings.find(Settings.JWT_ISSUER);
    String audience = settings.find(Settings.JWT_AUDIENCE);
    if (url == null && issuer == null && audience == null) {
      return null;
    }
    if (url == null || issuer == null || audience == null || !url.matches("(https?|file):.+")) {
      throw new StartException(
          ExitCode.USAGE,
          "jwt-jwks-url, jwt-issuer, jwt-audience: not all (expected: all three, the URL with http,"
              + " https or file; without issuer and audience every token of those keys would do)",
          null);
    }
    return new Issuer(
        0, Tenant.DEFAULT, issuer, audience, url, null, Set.of(Issuer.Algorithm.values()), "", 0);
  }

  @Nullable RulesKey rulesKey() {
    String file = settings.find(Settings.AWARD_RULES_KEY);
    if (file == null) {
      return null;
    }
    try {
      return RulesKey.parse(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new StartException(
          ExitCode.USAGE,
          "award-rules-key: %s: %s (expected: a file with a public key)".formatted(file, reason(e)),
          e);
    } catch (IllegalArgumentException e) {
      throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  /** Null on a shared database without one: a key that only one node has would be of no use. */
  @Nullable LedgerKey ledgerKey(Path folder) {
    String given = settings.find(Settings.LEDGER_KEY);
    if (given != null) {
      return LedgerKey.of(given);
    }
    if (settings.find(Settings.DATABASE_URL) == null) {
      return KeyFile.read(folder.resolve("ledger.key"));
    }
    LOG.warn("the ledger is not chained: set ledger-key, the same on every node");
    return null;
  }

  private Store sqlite(
      Path folder, WatchedClock clock, @Nullable LedgerKey key, boolean chainAnew) {
    boolean rewrite = settings.get(Settings.REWRITE_FILE);
    if (!rewrite) {
      return SqliteStore.open(folder, clock, key, chainAnew, false);
    }
    File file = folder.resolve("laurel.db").toFile();
    long before = file.length();
    LOG.atInfo()
        .addKeyValue("bytes", before)
        .log(
            "rewrite-file: the file is rewritten if it cannot shrink yet; a large one takes minutes");
    Store store = SqliteStore.open(folder, clock, key, chainAnew, true);
    LOG.atInfo()
        .addKeyValue("bytesBefore", before)
        .addKeyValue("bytes", file.length())
        .log("rewrite-file: done");
    return store;
  }

  RangeMemory rangeMemory() {
    return new RangeMemory(settings.bytes(Settings.STREAM_MEGABYTES, 8));
  }

  WatchedClock clock(TimeSource source, ClockMetrics metrics) {
    WatchedClock clock =
        new WatchedClock(
            source,
            settings.find(Settings.DATABASE_URL) != null,
            settings.get(Settings.CLOCK_CONFIRM_AFTER),
            metrics);
    metrics.watch(clock);
    return clock;
  }

  Store store(Path folder, TimeSource source, WatchedClock clock, @Nullable LedgerKey key) {
    String url = settings.find(Settings.DATABASE_URL);
    boolean chainAnew = settings.get(Settings.NEW_LEDGER_CHAIN);
    if (url == null) {
      OwnFiles.create(folder.resolve("laurel.db"));
    }
    try {
      return url == null
          ? sqlite(folder, clock, key, chainAnew)
          : PostgresStore.open(
              url,
              settings.find(Settings.DATABASE_USER),
              settings.find(Settings.DATABASE_PASSWORD),
              // The clocks of machines differ; only one that is turned by hand is shared by itself.
              source.equals(TimeSource.system()) ? null : source,
              clock,
              key,
              chainAnew);
    } catch (StoreException e) {
      throw new StartException(
          url == null ? ExitCode.DATA_FOLDER : ExitCode.DATABASE,
          String.valueOf(e.getMessage()),
          e);
    } catch (IllegalArgumentException e) {
      throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  @Nullable Kafka kafka() {
    String bootstrap = settings.find(Settings.KAFKA_BOOTSTRAP);
    if (bootstrap == null) {
      return null;
    }
    try {
      return new Kafka(bootstrap, settings.kafka());
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StartException(
          ExitCode.USAGE, "kafka-bootstrap: " + bootstrap + ": " + cause.getMessage(), e);
    }
  }

  Path dataFolder() {
    Path absolute = Path.of(settings.get(Settings.DATA)).toAbsolutePath().normalize();
    try {
      if (!Files.exists(absolute)) {
        Files.createDirectories(absolute);
        OwnFiles.keepToOwner(absolute, "rwx------");
      }
      Files.delete(Files.createTempFile(absolute, "writable", ".tmp"));
      return absolute;
    } catch (IOException e) {
      throw new StartException(
          ExitCode.DATA_FOLDER,
          "the data folder %s cannot be written: %s. Choose another with --data."
              .formatted(absolute, e),
          e);
    }
  }
}
