package dev.laurel.server;

import dev.laurel.archive.ObjectArchive;
import dev.laurel.core.access.Issuers;
import dev.laurel.core.access.Keys;
import dev.laurel.core.access.Origins;
import dev.laurel.core.archive.ArchiveSharing;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.award.Awards;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.SeasonEvents;
import dev.laurel.core.board.SeasonSteps;
import dev.laurel.core.board.Topics;
import dev.laurel.core.cluster.ClockJob;
import dev.laurel.core.cluster.StoreFollower;
import dev.laurel.core.events.AwardHooks;
import dev.laurel.core.events.ChangePublisher;
import dev.laurel.core.events.DeadLetterTopics;
import dev.laurel.core.events.DeadLetters;
import dev.laurel.core.guard.Guards;
import dev.laurel.core.hooks.Outgoing;
import dev.laurel.core.hooks.SeasonHooks;
import dev.laurel.core.lifecycle.ArchiveProgress;
import dev.laurel.core.lifecycle.ArchiveRequests;
import dev.laurel.core.lifecycle.CleanUp;
import dev.laurel.core.lifecycle.FinalRanks;
import dev.laurel.core.lifecycle.JobThread;
import dev.laurel.core.lifecycle.LedgerAge;
import dev.laurel.core.lifecycle.LedgerPruner;
import dev.laurel.core.lifecycle.OneByOne;
import dev.laurel.core.lifecycle.SeasonArchiver;
import dev.laurel.core.lifecycle.SeasonKeeper;
import dev.laurel.core.live.LiveHub;
import dev.laurel.core.live.LiveMarks;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.pod.PodDirectory;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.pod.TopicMaker;
import dev.laurel.core.privacy.Erasure;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.privacy.UserData;
import dev.laurel.core.query.KeptMetadata;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.ScoreMetadata;
import dev.laurel.core.rank.IndexMemory;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.Users;
import dev.laurel.core.repair.CheckJob;
import dev.laurel.core.repair.IndexChecks;
import dev.laurel.core.repair.RepairQueue;
import dev.laurel.core.review.LongWork;
import dev.laurel.core.review.Reverts;
import dev.laurel.core.review.Reviews;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.season.Calendars;
import dev.laurel.core.store.JobStore;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WatchedStore;
import dev.laurel.core.time.TimeSource;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.core.vital.Vital;
import dev.laurel.cron.CronUtilsParser;
import dev.laurel.jwt.JwtVerifier;
import dev.laurel.kafka.Kafka;
import dev.laurel.redis.RedisAddress;
import dev.laurel.server.api.ApiRoutes;
import dev.laurel.server.api.KeyAuthenticator;
import dev.laurel.server.awards.RulesDocument;
import dev.laurel.server.awards.RulesFile;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.demo.Demo;
import dev.laurel.server.events.AwardPayload;
import dev.laurel.server.events.ChangePayload;
import dev.laurel.server.events.JsonEvents;
import dev.laurel.server.events.PseudonymousChanges;
import dev.laurel.server.hooks.SeasonPayload;
import dev.laurel.server.hooks.WebhookSender;
import dev.laurel.server.http.BuiltInRoutes;
import dev.laurel.server.http.Cors;
import dev.laurel.server.http.HeapPressure;
import dev.laurel.server.http.HttpListener;
import dev.laurel.server.http.HttpMetrics;
import dev.laurel.server.http.HttpOptions;
import dev.laurel.server.http.LenientRegistry;
import dev.laurel.server.http.Limits;
import dev.laurel.server.http.PageRoutes;
import dev.laurel.server.http.Room;
import dev.laurel.server.http.RouteTable;
import dev.laurel.server.limits.DailyCap;
import dev.laurel.server.live.LiveStreams;
import dev.laurel.server.live.Tickets;
import dev.laurel.server.outbound.OutboundClient;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Pruning;
import dev.laurel.server.settings.SettingException;
import dev.laurel.server.settings.Settings;
import dev.laurel.spel.SpelExpressionCompiler;
import dev.laurel.sql.PostgresStore;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wiring: every part is made here, with plain {@code new}, in the order in which it depends on
 * others, and closed in the reverse order. Nothing else in the server makes a part.
 */
public final class Laurel implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Laurel.class);

  private final Configuration settings;
  private final Path dataFolder;
  private final RouteTable routes = new RouteTable();
  private final HttpListener listener;
  private final HeapPressure heap;
  private final @Nullable String generatedAdminKey;

  /** What to close, last made first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private final List<Vital> vitals = new CopyOnWriteArrayList<>();

  private Laurel(Configuration settings, TimeSource source, Consumer<RouteTable> moreRoutes) {
    this.settings = settings;
    FromSettings chosen = new FromSettings(settings);
    try {
      PrometheusMeterRegistry registry = LenientRegistry.meters();
      part(new ProcessMetrics(registry));

      WatchedClock clock = chosen.clock(source, new ClockMetrics(registry));
      dataFolder = chosen.dataFolder();
      LedgerKey ledgerKey = chosen.ledgerKey(dataFolder);
      WatchedStore watched =
          part(new WatchedStore(chosen.store(dataFolder, source, clock, ledgerKey)));
      RememberedStore store = new RememberedStore(watched);
      BoardDirectory directory = new BoardDirectory(store);
      JobStore jobs = new JobStore(store);
      Keys keys = new Keys(store, clock);
      BoardMetrics boardMetrics = new BoardMetrics(registry, directory, keys::tenantName);
      PipelineMetrics metrics = new PipelineMetrics(registry, boardMetrics);
      ReadMetrics.watch(registry, store);
      String givenKey = settings.find(Settings.ADMIN_KEY);
      if (givenKey != null) {
        putInForce(keys, givenKey);
      }

      Issuers issuers = new Issuers(store, clock, chosen.issuer());
      Origins origins = new Origins(store, clock);
      Awards awards =
          new Awards(
              store,
              clock,
              settings.get(Settings.AWARDING_ENABLED),
              RulesDocument::read,
              chosen.rulesKey(),
              why -> LOG.atError().addKeyValue("why", why).log("award rules not used"));
      List.of(keys, issuers, origins, awards).forEach(store::remember);

      Calendars calendars =
          new Calendars(
              new CronUtilsParser(),
              1000L * settings.get(Settings.SHORTEST_SEASON),
              settings.get(Settings.MISSED_SEASONS));
      Scorers scorers = new Scorers(new ExpressionMetrics(new SpelExpressionCompiler(), registry));
      SeasonEvents events = new SeasonHooks(SeasonPayload::encode);
      SeasonSteps steps = new SeasonSteps(calendars, events);
      Boards boards = new Boards(store, directory, steps, clock, chosen.boardLimits());
      boards.follow();
      IndexMemory memory = chosen.indexMemory(metrics);
      Users users = new Users(store, memory);
      chosen.requireRoomForIds(users.measure(), memory);
      SeasonKeeper seasons =
          new SeasonKeeper(
              jobs, directory, boards, calendars, steps, oneByOne("board", metrics::seasonFailed));
      RepairQueue repairs = new RepairQueue(clock, metrics::catchUpFailed);
      LiveMarks marks = new LiveMarks();
      KeptMetadata keptMetadata = new KeptMetadata(System::nanoTime);
      store.remember(keptMetadata);
      RankIndex index = part(chosen.index(store, users, memory, marks.after(repairs), registry));
      store.remember(index);
      store.remember(repairs);
      Guards guards = new Guards();
      Profiles profiles = new Profiles(store, users, directory, index, clock);
      store.remember(profiles);
      profiles.onChange(
          tenant -> directory.ofTenant(tenant).forEach(board -> marks.moved(board.id())));
      UserData userData = new UserData(store, directory);
      Erasure erasure =
          new Erasure(store, directory, profiles, userData, clock, Laurel::erasureFailed);
      ScorePipeline pipeline =
          part(
              new ScorePipeline(
                  store,
                  directory,
                  users,
                  index,
                  calendars,
                  seasons,
                  scorers,
                  guards,
                  metrics::caught,
                  clock,
                  List.of(marks, keptMetadata::changed),
                  metrics,
                  chosen.queue()));
      if (store.isShared()) {
        StoreFollower follower =
            part(
                new StoreFollower(
                    store,
                    directory,
                    List.of(
                        keys::follow,
                        issuers::follow,
                        origins::follow,
                        awards::follow,
                        profiles::follow),
                    index,
                    marks::moved,
                    metrics::catchUpFailed));
        RepairMetrics.watchFollower(registry, follower::lagNanos);
      }
      FinalRanks finals =
          new FinalRanks(
              jobs, directory, boards, users, events, oneByOne("season", metrics::seasonFailed));
      ClockJob clockJob = new ClockJob(jobs, clock, source);
      part(job(store, "laurel-clock", _ -> clockJob.turn(), metrics::clockFailed));
      seasons.turn(); // so that nobody meets yesterday
      part(
          job(
              store,
              "laurel-seasons",
              stop -> {
                seasons.turn(stop);
                finals.writeAll(stop);
              },
              metrics::seasonFailed));
      ObjectArchive archive = part(chosen.archive(dataFolder));
      ArchiveSharing sharing = part(new ArchiveSharing(jobs, archive, System::nanoTime));
      Archives archives = new Archives(store, archive, sharing);
      ArchiveProgress progress = new ArchiveProgress(source::nanos, metrics::archiveFailed);
      SeasonArchiver archiver =
          new SeasonArchiver(
              jobs, directory, boards, users, archives, chosen.archiveTimes(), progress);
      part(job(store, "laurel-archive", archiver::turn, metrics::archiveFailed));
      if (store.isShared()) {
        part(
            job(
                store,
                "laurel-archive-proof",
                _ -> {
                  sharing.turn();
                  metrics.archiveShared(sharing.problem());
                },
                metrics::archiveFailed));
      }
      if (settings.get(Settings.LEDGER) == Pruning.PRUNE) {
        LedgerPruner pruner =
            new LedgerPruner(
                jobs,
                directory,
                new LedgerAge(settings.get(Settings.LEDGER_KEEP)),
                oneByOne("shard", metrics::archiveFailed));
        part(job(store, "laurel-prune", pruner::turn, metrics::archiveFailed));
      }
      Outgoing outgoing = new Outgoing(jobs, settings.get(Settings.FORGET_DELIVERIES_AFTER));
      OutboundClient outbound = part(new OutboundClient(chosen.privateHooks()));
      part(new WebhookSender(outgoing, outbound, clock, registry));
      CleanUp cleanUp =
          new Horizons(
                  settings.get(Settings.FORGET_IDS_AFTER),
                  settings.get(Settings.FORGET_ANOMALIES_AFTER))
              .cleanUp(jobs, outgoing, directory, index, clock, metrics::cleanUpFailed);
      part(job(store, "laurel-clean-up", cleanUp::turn, metrics::cleanUpFailed));
      IndexChecks checks =
          new IndexChecks(store, index, users, repairs, clock, RepairMetrics::drifted);
      CheckJob checkJob =
          new CheckJob(
              jobs,
              directory,
              index,
              checks,
              repairs,
              clock,
              chosen.checkTimes(),
              oneByOne("board", RepairMetrics::failed));
      part(job(store, "laurel-checks", checkJob::turn, RepairMetrics::failed));
      RepairMetrics.watch(registry, checks, repairs, index);
      Rankings rankings = new Rankings(store, index, users, archives);
      ReadMetrics.watch(registry, rankings);
      metrics.watch(registry, pipeline, index, progress);
      metrics.watch(sharing, progress);
      metrics.watch(memory, users);
      metrics.watchThreads(() -> lostThreads().size());

      LiveStreams streams = chosen.streams(registry);
      LiveHub hub =
          part(
              new LiveHub(
                  marks,
                  directory,
                  rankings,
                  index::epoch,
                  streams::audience,
                  chosen.rangeMemory(),
                  metrics::liveFailed));

      Topics topics =
          new Topics(store, directory, settings.get(Settings.TOPIC_QPS_PER_PARTITION), clock);
      ArchiveRequests requests = new ArchiveRequests(store, directory, boards, progress);
      Kafka kafka = chosen.kafka();
      if (kafka != null) {
        part(kafka);
      }
      TopicMaker topicMaker = kafka == null ? TopicMaker.NONE : kafka.topicMaker();
      Pods pods = new Pods(store, new PodDirectory(), topicMaker, clock);
      store.remember(pods.directory());
      DeadLetters deadLetters =
          new DeadLetters(
              store, kafka == null ? DeadLetterTopics.NONE : kafka.deadLetters(), clock);
      LongWork longWork = new LongWork();
      JwtVerifier tokens = part(chosen.tokens(issuers, outbound, source));
      KeyAuthenticator authenticator =
          new KeyAuthenticator(keys, tokens, settings.get(Settings.ANONYMOUS));
      ApiRoutes.add(
          routes,
          store,
          keys,
          boards,
          topics,
          pods,
          deadLetters,
          scorers,
          pipeline,
          rankings,
          new ScoreMetadata(store, rankings, keptMetadata, System::nanoTime),
          archives,
          requests,
          checks,
          repairs,
          index,
          new ApiRoutes.AwardParts(
              issuers,
              JwtVerifier::problem,
              chosen.privateHooks(),
              origins,
              awards,
              Duration.ofMillis(settings.get(Settings.AWARD_SLOW_MILLIS)),
              Duration.ofMillis(settings.get(Settings.AWARD_DEADLINE_MILLIS)),
              registry),
          new Reverts(store, users, pipeline, longWork, clock),
          new ApiRoutes.LiveParts(
              hub,
              streams,
              new Tickets(store, clock),
              authenticator,
              settings.get(Settings.STREAMS)),
          new Reviews(store, users, pipeline, longWork, clock),
          new ApiRoutes.UserParts(
              ledgerKey,
              settings.get(Settings.TRUSTED_PROXIES),
              directory,
              profiles,
              userData,
              erasure,
              longWork,
              new DailyCap(settings.get(Settings.OWN_DATA_PER_DAY), clock)),
          this::lostThreads,
          clock);
      new BuiltInRoutes(registry, () -> boardMetrics.refresh(index)).addTo(routes);
      new PageRoutes().addTo(routes);
      moreRoutes.accept(routes);

      String rulesFile = settings.find(Settings.AWARD_RULES);
      if (rulesFile != null) {
        RulesFile rules = new RulesFile(Path.of(rulesFile), awards, boards);
        rules.follow(); // before the first award
        part(
            job(
                store,
                "laurel-award-rules",
                _ -> rules.follow(),
                e -> LOG.error("award rules", e)));
      }
      if (settings.find(Settings.JWT_JWKS_URL) != null) {
        boards.global(Tenant.DEFAULT, "awards");
      }
      Room room = chosen.room();
      heap = room.heap();
      part(new HeapWatch(heap));
      Limits limits = chosen.limits(part(chosen.buckets()), registry);
      Cors cors = new Cors(origins);
      HttpMetrics httpMetrics = new HttpMetrics(registry, room, keys::tenantName);
      HttpOptions options = HttpOptions.of(settings);
      listener =
          part(
              listen(
                  options,
                  () ->
                      HttpListener.start(
                          options, routes, authenticator, limits, cors, httpMetrics, room, store)));
      HttpOptions ops = HttpOptions.ofOps(settings);
      if (ops != null) {
        part(listen(ops, () -> HttpListener.startOps(ops, routes, cors, httpMetrics, store)));
      }
      if (settings.find(Settings.TLS_CERT) != null) {
        part(
            new JobThread(
                "laurel-tls",
                _ -> listener.followCertificates(),
                e -> LOG.error("certificates", e)));
      }
      part(streams); // so that they end before the listener waits for what is under way
      // Silent: whoever found it down has said so.
      part(new JobThread("laurel-store-watch", _ -> watched.look(), _ -> {}));
      // A key is shown once. Made any earlier, it would be lost with a start that fails.
      String madeKey = givenKey == null ? keys.ensureAdmin(null) : null;
      String keyFile = settings.find(Settings.ADMIN_KEY_FILE);
      if (madeKey != null && keyFile != null) {
        OwnFiles.write(Path.of(keyFile), madeKey);
      }
      generatedAdminKey = keyFile == null ? madeKey : null;
      loadIndexes(directory, index);
      if (settings.get(Settings.DEMO)) {
        part(new Demo(boards, pipeline, clock));
      }
      part(job(store, "laurel-erase", erasure::turn, Laurel::erasureFailed));
      AwardHooks awardHooks = new AwardHooks(jobs, directory, users, AwardPayload::encode);
      part(job(store, "laurel-award-hooks", awardHooks::turn, metrics::awardHooksFailed));
      // Last of all: whoever watches looks at the boards that there are now.
      store.remember(
          _ -> {
            LOG.warn("the store is in a new epoch: everything was read anew");
            directory.all().forEach(board -> marks.moved(board.id()));
          });
      if (kafka != null) {
        EventMetrics eventMetrics = new EventMetrics(registry);
        String changes = settings.find(Settings.KAFKA_CHANGES);
        if (changes != null) {
          ChangePublisher publisher =
              new ChangePublisher(
                  jobs,
                  directory,
                  users,
                  kafka.changes(changes),
                  settings.get(Settings.KAFKA_CHANGE_USERS) == Settings.ChangeUsers.PSEUDONYMS
                      ? new PseudonymousChanges(store)::encode
                      : ChangePayload::encode);
          eventMetrics.watch(publisher);
          part(job(store, "laurel-changes", publisher::turn, eventMetrics::changesFailed));
        }
        JsonEvents reader = new JsonEvents(store, boards, pods.directory());
        store.remember(reader);
        part(
            kafka.read(
                settings.get(Settings.KAFKA_GROUP),
                reader,
                pipeline,
                store,
                eventMetrics,
                clock,
                Math.clamp(
                    settings.get(Settings.QUEUE_LINES) / store.lanes(),
                    1,
                    settings.get(Settings.BATCH_LINES))));
      }
    } catch (Throwable e) {
      closeParts();
      throw e;
    }
  }

  private static void putInForce(Keys keys, String adminKey) {
    try {
      keys.ensureAdmin(adminKey);
    } catch (IllegalArgumentException e) {
      throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private static <K> OneByOne<K> oneByOne(String what, Consumer<Throwable> onFailure) {
    return new OneByOne<>(what, System::nanoTime, onFailure);
  }

  /** A turn is of one era: what it looks up is used in the history that it was found in. */
  private static JobThread job(
      RememberedStore store,
      String name,
      Consumer<BooleanSupplier> turn,
      Consumer<Throwable> onFailure) {
    return new JobThread(
        name, stop -> store.during(store.era(), () -> turn.accept(stop)), onFailure);
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.push(part);
    if (part instanceof Vital vital) {
      vitals.add(vital);
    }
    return part;
  }

  /** Those that have ended, though the parts they belong to were not closed. */
  private List<String> lostThreads() {
    return vitals.stream().map(Vital::lost).filter(Objects::nonNull).toList();
  }

  /**
   * @throws StartException with words for the person who started it
   */
  public static Laurel start(Configuration settings) {
    return start(settings, TimeSource.system(), _ -> {});
  }

  /** With another clock and routes beside the built-in ones, for tests. */
  public static Laurel start(
      Configuration settings, TimeSource source, Consumer<RouteTable> moreRoutes) {
    long begin = System.nanoTime();
    Laurel laurel = new Laurel(settings, source, moreRoutes);
    LOG.atInfo()
        .addKeyValue("version", Version.current())
        .addKeyValue("port", laurel.port())
        .addKeyValue("store", Objects.requireNonNullElse(laurel.database(), "SQLite"))
        .addKeyValue("ranks", Objects.requireNonNullElse(laurel.redis(), "memory"))
        .addKeyValue("kafka", Objects.requireNonNullElse(laurel.kafka(), "none"))
        .addKeyValue("millis", (System.nanoTime() - begin) / 1_000_000)
        .log("started");
    return laurel;
  }

  public int port() {
    return listener.port();
  }

  public String url() {
    String host = settings.get(Settings.HOST);
    String shown = host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
    String scheme = settings.find(Settings.TLS_CERT) == null ? "http://" : "https://";
    return scheme + (shown.contains(":") ? "[" + shown + "]" : shown) + ":" + port();
  }

  public Path dataFolder() {
    return dataFolder;
  }

  /** Where the database is, without what is secret; null if it is a file in the data folder. */
  public @Nullable String database() {
    String url = settings.find(Settings.DATABASE_URL);
    return url == null ? null : PostgresStore.describe(url);
  }

  /** Where the ranks are that nodes share, without what is secret; null if they are in memory. */
  public @Nullable String redis() {
    String url = settings.find(Settings.REDIS_URL);
    return url == null ? null : RedisAddress.parse(url).toString();
  }

  /** The brokers that events come from; null if there are none. */
  public @Nullable String kafka() {
    return settings.find(Settings.KAFKA_BOOTSTRAP);
  }

  private static void erasureFailed(Throwable cause) {
    LOG.atWarn().setCause(cause).log("an erasure is not finished; it is tried again");
  }

  /** Whether it is short of memory. */
  HeapPressure heap() {
    return heap;
  }

  public RouteTable routes() {
    return routes;
  }

  /** The admin key if it was made up for this run; null if it was configured or made before. */
  public @Nullable String generatedAdminKey() {
    return generatedAdminKey;
  }

  public boolean hasDemo() {
    return settings.get(Settings.DEMO);
  }

  public boolean isAdminKeyConfigured() {
    return settings.find(Settings.ADMIN_KEY) != null;
  }

  @Override
  public void close() {
    LOG.info("stopping");
    closeParts();
    LOG.info("stopped");
  }

  private void closeParts() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.atError().addKeyValue("part", part.getClass().getSimpleName()).setCause(e).log("close");
      }
    }
  }

  /** In the background, by the path that live traffic takes; until then reads go to the store. */
  private static void loadIndexes(BoardDirectory directory, RankIndex index) {
    for (Board board : directory.all()) {
      for (Season season : board.seasons()) {
        index.ranking(board, season);
      }
    }
  }

  private static HttpListener listen(HttpOptions options, Callable<HttpListener> start) {
    try {
      return start.call();
    } catch (SettingException e) {
      throw e;
    } catch (Exception e) {
      throw new StartException(
          ExitCode.CANNOT_LISTEN,
          "cannot listen on %s, port %d: %s. %s"
              .formatted(
                  options.host(),
                  options.port(),
                  e.getMessage(),
                  String.valueOf(e.getMessage()).contains("in use")
                      ? "Is another server running there? Choose another with --port."
                      : "Choose an address of this machine with --host."),
          e);
    }
  }
}
