package dev.laurel.server;

import dev.laurel.core.access.Issuers;
import dev.laurel.core.access.Keys;
import dev.laurel.core.access.Origins;
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
import dev.laurel.core.lifecycle.AnomalySweep;
import dev.laurel.core.lifecycle.ArchiveProgress;
import dev.laurel.core.lifecycle.ArchiveRequests;
import dev.laurel.core.lifecycle.CleanUp;
import dev.laurel.core.lifecycle.Compaction;
import dev.laurel.core.lifecycle.FinalRanks;
import dev.laurel.core.lifecycle.IdSweep;
import dev.laurel.core.lifecycle.JobThread;
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
import dev.laurel.core.query.Rankings;
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
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.WatchedStore;
import dev.laurel.core.time.TimeSource;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.core.vital.Vital;
import dev.laurel.cron.CronUtilsParser;
import dev.laurel.jwt.JwtVerifier;
import dev.laurel.kafka.Kafka;
import dev.laurel.server.api.ApiRoutes;
import dev.laurel.server.api.KeyAuthenticator;
import dev.laurel.server.awards.RulesDocument;
import dev.laurel.server.awards.RulesFile;
import dev.laurel.server.cli.ExitCode;
import dev.laurel.server.demo.Demo;
import dev.laurel.server.events.AwardPayload;
import dev.laurel.server.events.ChangePayload;
import dev.laurel.server.events.JsonEvents;
import dev.laurel.server.hooks.SeasonPayload;
import dev.laurel.server.hooks.WebhookSender;
import dev.laurel.server.http.BuiltInRoutes;
import dev.laurel.server.http.Cors;
import dev.laurel.server.http.HttpListener;
import dev.laurel.server.http.HttpMetrics;
import dev.laurel.server.http.HttpOptions;
import dev.laurel.server.http.Limits;
import dev.laurel.server.http.PageRoutes;
import dev.laurel.server.http.Room;
import dev.laurel.server.http.RouteTable;
import dev.laurel.server.live.LiveStreams;
import dev.laurel.server.live.Tickets;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Pruning;
import dev.laurel.server.settings.SettingException;
import dev.laurel.server.settings.Settings;
import dev.laurel.spel.SpelExpressionCompiler;
import dev.laurel.sql.PostgresStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
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
  private final @Nullable String generatedAdminKey;

  /** What to close, last made first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private final List<Vital> vitals = new CopyOnWriteArrayList<>();

  private Laurel(Configuration settings, TimeSource source, Consumer<RouteTable> moreRoutes) {
    this.settings = settings;
    FromSettings chosen = new FromSettings(settings);
    try {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      part(new ProcessMetrics(registry));
      PipelineMetrics metrics = new PipelineMetrics(registry);

      WatchedClock clock = chosen.clock(source, new ClockMetrics(registry));
      dataFolder = chosen.dataFolder();
      LedgerKey ledgerKey = chosen.ledgerKey(dataFolder);
      WatchedStore store =
          part(new WatchedStore(chosen.store(dataFolder, source, clock, ledgerKey)));
      JobStore jobs = new JobStore(store);
      Keys keys = new Keys(store, clock);
      String givenKey = settings.find(Settings.ADMIN_KEY);
      if (givenKey != null) {
        keys.ensureAdmin(givenKey);
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

      BoardDirectory directory = new BoardDirectory();
      Calendars calendars =
          new Calendars(
              new CronUtilsParser(),
              1000L * settings.get(Settings.SHORTEST_SEASON),
              settings.get(Settings.MISSED_SEASONS));
      Scorers scorers = new Scorers(new SpelExpressionCompiler());
      SeasonEvents events = new SeasonHooks(SeasonPayload::encode);
      SeasonSteps steps = new SeasonSteps(calendars, events);
      Boards boards = new Boards(store, directory, steps, clock);
      boards.follow();
      Users users = new Users(store);
      SeasonKeeper seasons =
          new SeasonKeeper(
              jobs, directory, boards, calendars, steps, oneByOne("board", metrics::seasonFailed));
      RepairQueue repairs = new RepairQueue(clock, metrics::catchUpFailed);
      LiveMarks marks = new LiveMarks();
      IndexMemory memory = chosen.indexMemory(metrics::crowded);
      RankIndex index = part(chosen.index(store, users, memory, marks.after(repairs), registry));
      Guards guards = new Guards();
      Profiles profiles = new Profiles(store, users, directory, index, clock);
      profiles.onChange(
          tenant -> directory.ofTenant(tenant).forEach(board -> marks.moved(board.id())));
      UserData userData = new UserData(store, directory);
      Erasure erasure = new Erasure(store, directory, profiles, userData, clock);
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
                  List.of(marks),
                  metrics,
                  chosen.queue()));
      if (store.isShared()) {
        StoreFollower follower =
            part(
                new StoreFollower(
                    jobs,
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
      part(new JobThread("laurel-clock", _ -> clockJob.turn(), metrics::clockFailed));
      seasons.turn(); // so that nobody meets yesterday
      part(
          new JobThread(
              "laurel-seasons",
              stop -> {
                seasons.turn(stop);
                finals.writeAll(stop);
              },
              metrics::seasonFailed));
      Archives archives = new Archives(store, part(chosen.archive(dataFolder)));
      ArchiveProgress progress = new ArchiveProgress(source::nanos, metrics::archiveFailed);
      SeasonArchiver archiver =
          new SeasonArchiver(
              jobs, directory, boards, users, archives, chosen.archiveTimes(), progress);
      part(new JobThread("laurel-archive", archiver::turn, metrics::archiveFailed));
      if (settings.get(Settings.LEDGER) == Pruning.PRUNE) {
        LedgerPruner pruner = new LedgerPruner(jobs, oneByOne("shard", metrics::archiveFailed));
        part(new JobThread("laurel-prune", pruner::turn, metrics::archiveFailed));
      }
      Outgoing outgoing = new Outgoing(jobs, settings.get(Settings.FORGET_DELIVERIES_AFTER));
      part(new WebhookSender(outgoing, chosen.privateHooks(), clock, registry));
      CleanUp cleanUp =
          new CleanUp(
              List.of(
                  outgoing::forget,
                  new AnomalySweep(jobs, settings.get(Settings.FORGET_ANOMALIES_AFTER)),
                  new IdSweep(jobs, directory, clock, settings.get(Settings.FORGET_IDS_AFTER)),
                  _ -> index.keepOnly(directory.listed()),
                  new Compaction(jobs)),
              metrics::cleanUpFailed);
      part(new JobThread("laurel-clean-up", cleanUp::turn, metrics::cleanUpFailed));
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
      part(new JobThread("laurel-checks", checkJob::turn, RepairMetrics::failed));
      RepairMetrics.watch(registry, checks, repairs, index);
      Rankings rankings = new Rankings(store, index, users, archives);
      metrics.watch(registry, pipeline, index, progress);
      metrics.watch(memory);
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
      DeadLetters deadLetters =
          new DeadLetters(
              store, kafka == null ? DeadLetterTopics.NONE : kafka.deadLetters(), clock);
      LongWork longWork = new LongWork();
      JwtVerifier tokens = part(chosen.tokens(issuers, source));
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
          archives,
          requests,
          checks,
          repairs,
          new ApiRoutes.AwardParts(
              issuers,
              JwtVerifier::problem,
              origins,
              awards,
              Duration.ofMillis(settings.get(Settings.AWARD_SLOW_MILLIS)),
              Duration.ofMillis(settings.get(Settings.AWARD_DEADLINE_MILLIS)),
              registry),
          new Reverts(store, users, pipeline, longWork, clock),
          new ApiRoutes.LiveParts(hub, streams, new Tickets(store, clock), authenticator),
          new Reviews(store, users, pipeline, longWork, clock),
          new ApiRoutes.UserParts(
              ledgerKey,
              settings.get(Settings.TRUSTED_PROXIES),
              directory,
              profiles,
              userData,
              erasure),
          this::lostThreads,
          clock);
      new BuiltInRoutes(registry, () -> metrics.refresh(directory, index, keys::tenantName))
          .addTo(routes);
      new PageRoutes().addTo(routes);
      moreRoutes.accept(routes);

      String rulesFile = settings.find(Settings.AWARD_RULES);
      if (rulesFile != null) {
        RulesFile rules = new RulesFile(Path.of(rulesFile), awards, boards);
        rules.follow(); // before the first award
        part(
            new JobThread(
                "laurel-award-rules", _ -> rules.follow(), e -> LOG.error("award rules", e)));
      }
      if (settings.find(Settings.JWT_JWKS_URL) != null) {
        boards.global(Tenant.DEFAULT, "awards");
      }
      Room room = chosen.room();
      listener =
          part(
              listen(
                  HttpOptions.of(settings),
                  authenticator,
                  chosen.limits(part(chosen.buckets()), registry),
                  new Cors(origins),
                  new HttpMetrics(registry, room, keys::tenantName),
                  room,
                  store::isDown));
      if (settings.find(Settings.TLS_CERT) != null) {
        part(
            new JobThread(
                "laurel-tls",
                _ -> listener.followCertificates(),
                e -> LOG.error("certificates", e)));
      }
      part(streams); // so that they end before the listener waits for what is under way
      // Silent: whoever found it down has said so.
      part(new JobThread("laurel-store-watch", _ -> store.look(), _ -> {}));
      // A key is shown once. Made any earlier, it would be lost with a start that fails.
      generatedAdminKey = givenKey == null ? keys.ensureAdmin(null) : null;
      loadIndexes(directory, index);
      if (settings.get(Settings.DEMO)) {
        part(new Demo(boards, pipeline, clock));
      }
      part(
          new JobThread(
              "laurel-erase",
              erasure::turn,
              e -> LOG.atWarn().setCause(e).log("an erasure is not finished; it is tried again")));
      AwardHooks awardHooks = new AwardHooks(jobs, directory, users, AwardPayload::encode);
      part(new JobThread("laurel-award-hooks", awardHooks::turn, metrics::awardHooksFailed));
      if (kafka != null) {
        EventMetrics eventMetrics = new EventMetrics(registry);
        String changes = settings.find(Settings.KAFKA_CHANGES);
        if (changes != null) {
          ChangePublisher publisher =
              new ChangePublisher(
                  jobs, directory, users, kafka.changes(changes), ChangePayload::encode);
          eventMetrics.watch(publisher);
          part(new JobThread("laurel-changes", publisher::turn, eventMetrics::changesFailed));
        }
        part(
            kafka.read(
                settings.get(Settings.KAFKA_GROUP),
                new JsonEvents(store, boards, pods.directory()),
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

  private static <K> OneByOne<K> oneByOne(String what, Consumer<Throwable> onFailure) {
    return new OneByOne<>(what, System::nanoTime, onFailure);
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

  private HttpListener listen(
      HttpOptions options,
      KeyAuthenticator keys,
      Limits limits,
      Cors cors,
      HttpMetrics metrics,
      Room room,
      BooleanSupplier degraded) {
    try {
      return HttpListener.start(options, routes, keys, limits, cors, metrics, room, degraded);
    } catch (SettingException e) {
      throw e;
    } catch (Exception e) {
      throw new StartException(
          ExitCode.CANNOT_LISTEN,
          "cannot listen on %s, port %d: %s. Is another server running there? Choose another with --port."
              .formatted(options.host(), options.port(), e.getMessage()),
          e);
    }
  }
}
