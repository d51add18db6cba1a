package dev.laurel.server.api;

import static dev.laurel.server.http.Access.ADMIN;
import static dev.laurel.server.http.Access.AWARD;
import static dev.laurel.server.http.Access.INGEST;
import static dev.laurel.server.http.Access.MANAGE;
import static dev.laurel.server.http.Access.PUBLIC;
import static dev.laurel.server.http.Access.READ;
import static dev.laurel.server.http.Access.READ_OR_PUBLIC_BOARD;
import static dev.laurel.server.http.Access.STREAM;
import static dev.laurel.server.http.Access.USER;
import static dev.laurel.server.http.Kind.BLOCKING;
import static dev.laurel.server.http.Kind.HOT;

import dev.laurel.core.access.Issuers;
import dev.laurel.core.access.Keys;
import dev.laurel.core.access.Origins;
import dev.laurel.core.access.Tenants;
import dev.laurel.core.archive.Archives;
import dev.laurel.core.award.Awards;
import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.board.Boards;
import dev.laurel.core.board.Topics;
import dev.laurel.core.events.DeadLetters;
import dev.laurel.core.hooks.Webhooks;
import dev.laurel.core.lifecycle.ArchiveRequests;
import dev.laurel.core.live.LiveHub;
import dev.laurel.core.pipeline.ScorePipeline;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.privacy.Erasure;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.privacy.UserData;
import dev.laurel.core.query.Cursors;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.ScoreMetadata;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.repair.IndexChecks;
import dev.laurel.core.repair.RepairQueue;
import dev.laurel.core.review.LongWork;
import dev.laurel.core.review.Reverts;
import dev.laurel.core.review.Reviews;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredSecret;
import dev.laurel.core.time.WatchedClock;
import dev.laurel.server.http.Authenticator;
import dev.laurel.server.http.Body;
import dev.laurel.server.http.RouteTable;
import dev.laurel.server.limits.Clients;
import dev.laurel.server.limits.DailyCap;
import dev.laurel.server.limits.TrustedProxies;
import dev.laurel.server.live.LiveStreams;
import dev.laurel.server.live.Tickets;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every route that is about boards, scores and keys. */
public final class ApiRoutes {
  private static final String BOARDS = "/api/v1/leaderboards";
  private static final String BOARD = BOARDS + "/{UUID}";
  private static final String BOARD_USER = BOARD + "/users/{userId}";
  private static final String ANOMALIES = BOARD + "/anomalies";
  private static final String ANOMALY = ANOMALIES + "/{line}";
  private static final String USER_DATA = "/api/v1/users/{userId}";
  private static final String CONFIGS = "/leaderboards/config";
  private static final String CONFIG = CONFIGS + "/{configId}";
  private static final String WEBHOOKS = "/api/v1/webhooks";
  private static final String WEBHOOK = WEBHOOKS + "/{webhookId}";
  private static final String ARCHIVES = "/api/v1/archives";
  private static final String ARCHIVE = ARCHIVES + "/{seasonId}";
  private static final String CHECKS = "/api/v1/checks";
  private static final String PODS = "/api/v1/pods";
  private static final String SCHEMAS = PODS + "/{podId}/schemas";
  private static final String DEAD_LETTERS = "/api/v1/dead-letters";
  private static final String GAME = "/v1/games/{game_id}";

  private ApiRoutes() {}

  /**
   * What tokens, browsers and awards need.
   *
   * @param keySetProblem what is wrong with a key set, null if nothing is
   * @param slow an award that took longer is answered without the top list
   * @param deadline when the caller of an award that is not stored is told to come back
   */
  public record AwardParts(
      Issuers issuers,
      Function<String, @Nullable String> keySetProblem,
      boolean plainKeys,
      Origins origins,
      Awards awards,
      Duration slow,
      Duration deadline,
      MeterRegistry registry) {}

  /**
   * What streams need.
   *
   * @param enabled false to refuse them all: whoever watches polls
   */
  public record LiveParts(
      LiveHub hub,
      LiveStreams streams,
      Tickets tickets,
      Authenticator authenticator,
      boolean enabled) {}

  /** What users' data needs. */
  public record UserParts(
      @Nullable LedgerKey ledgerKey,
      TrustedProxies proxies,
      BoardDirectory directory,
      Profiles profiles,
      UserData data,
      Erasure erasure,
      LongWork work,
      DailyCap ofUsers) {}

  public static void add(
      RouteTable table,
      Store store,
      Keys keyring,
      Boards directory,
      Topics topics,
      Pods pods,
      DeadLetters deadLetters,
      Scorers scorers,
      ScorePipeline pipeline,
      Rankings rankings,
      ScoreMetadata metadata,
      Archives archived,
      ArchiveRequests requests,
      IndexChecks indexChecks,
      RepairQueue repairs,
      RankIndex index,
      AwardParts awardParts,
      Reverts reverts,
      LiveParts live,
      Reviews reviews,
      UserParts userParts,
      Supplier<List<String>> lostThreads,
      WatchedClock clock) {
    Clients clients = new Clients(userParts.ledgerKey, userParts.proxies);
    BoardAccess access = new BoardAccess(directory, keyring, userParts.profiles, awardParts.awards);
    BoardRoutes boards = new BoardRoutes(directory, access, rankings);
    WindowRoutes windows = new WindowRoutes(access, boards);
    ScoreRoutes scores = new ScoreRoutes(access, pipeline, rankings, clients);
    Seasons finder = new Seasons(store);
    SeasonQuery chosen = new SeasonQuery(finder);
    PageCursors cursors = new PageCursors(rankings, new Cursors(StoredSecret.of(store, "cursor")));
    RankRoutes ranks =
        new RankRoutes(directory, access, rankings, metadata, chosen, cursors, clock);
    FriendRoutes friends = new FriendRoutes(access, rankings, chosen);
    GameRoutes games = new GameRoutes(directory, access, scores, rankings, chosen, cursors);
    SeasonRoutes seasons = new SeasonRoutes(access, rankings, finder, chosen);
    InstanceRoutes instances = new InstanceRoutes(access, rankings, finder);
    ConfigRoutes configs = new ConfigRoutes(directory, topics, scorers, finder);
    EventRoutes events = new EventRoutes(directory, pipeline, clients);
    TenantRoutes tenants = new TenantRoutes(new Tenants(store, keyring, clock), topics);
    PodRoutes podRoutes = new PodRoutes(pods, directory, pipeline);
    DeadLetterRoutes letters = new DeadLetterRoutes(deadLetters);
    WebhookRoutes webhooks = new WebhookRoutes(new Webhooks(store, clock), directory);
    ArchiveRoutes archives = new ArchiveRoutes(access, finder, archived, requests);
    CheckRoutes checks = new CheckRoutes(access, directory, indexChecks, repairs);
    LedgerRoutes ledger = new LedgerRoutes(store, userParts.ledgerKey);
    GuardRoutes guards = new GuardRoutes(access, reviews);
    RevertRoutes revertRoutes = new RevertRoutes(access, reverts, pods);
    ExportRoutes exports = new ExportRoutes(access, rankings, chosen);
    AwardRoutes awards =
        new AwardRoutes(
            awardParts.awards,
            directory,
            access,
            pipeline,
            rankings,
            new AwardRoutes.Times(awardParts.slow, awardParts.deadline),
            clients,
            awardParts.registry);
    ScoreboardRoutes scoreboard = new ScoreboardRoutes(directory, access, rankings, chosen, clock);
    AwardRuleRoutes awardRules = new AwardRuleRoutes(awardParts.awards, directory);
    IssuerRoutes issuerRoutes =
        new IssuerRoutes(
            awardParts.issuers, directory, awardParts.keySetProblem, awardParts.plainKeys);
    CorsRoutes cors = new CorsRoutes(awardParts.origins);
    StreamRoutes streams = new StreamRoutes(access, chosen, live, clock);
    UserRoutes users =
        new UserRoutes(
            userParts.profiles,
            new UserExport(
                store,
                userParts.directory,
                userParts.profiles,
                userParts.data,
                rankings,
                userParts.work),
            userParts.erasure,
            userParts.work,
            userParts.ofUsers);
    KeyRoutes keys = new KeyRoutes(keyring);
    HealthRoutes health = new HealthRoutes(store, index, clock, lostThreads);

    table.post(BOARDS, BLOCKING, MANAGE, boards::create);
    table.get(
        BOARDS,
        BLOCKING,
        READ_OR_PUBLIC_BOARD,
        boards::list,
        "podId",
        "status",
        "limit",
        "offset",
        "tenant");
    table.get(BOARD, BLOCKING, READ_OR_PUBLIC_BOARD, boards::get, "version", "tenant");
    table.patch(BOARD, BLOCKING, MANAGE, boards::change, "dryRun");
    table.put(BOARD + "/windows/{window}", BLOCKING, MANAGE, windows::put, "dryRun");
    table.delete(BOARD + "/windows/{window}", BLOCKING, MANAGE, windows::remove, "dryRun");

    table.get(
        BOARD + "/top",
        HOT,
        READ_OR_PUBLIC_BOARD,
        ranks::top,
        SeasonQuery.with("limit", "offset", "cursor", "tenant"));
    table.get(
        BOARD_USER + "/rank", HOT, READ_OR_PUBLIC_BOARD, ranks::rank, SeasonQuery.with("tenant"));
    table.get(
        BOARD_USER + "/around",
        HOT,
        READ_OR_PUBLIC_BOARD,
        ranks::around,
        SeasonQuery.with("window", "tenant"));
    table.post(
        BOARD + "/ranks", HOT, READ_OR_PUBLIC_BOARD, friends::ranks, SeasonQuery.with("tenant"));

    table.get(
        BOARD + "/seasons",
        BLOCKING,
        READ_OR_PUBLIC_BOARD,
        seasons::list,
        "period",
        "before",
        "limit",
        "tenant");
    table.get(
        BOARD_USER + "/history",
        BLOCKING,
        READ_OR_PUBLIC_BOARD,
        seasons::history,
        "period",
        "before",
        "limit",
        "tenant");
    table.get(
        BOARD + "/prizes", BLOCKING, READ, seasons::prizes, SeasonQuery.with("offset", "limit"));
    table.get(
        BOARD + "/export",
        BLOCKING,
        READ,
        exports::export,
        SeasonQuery.with("format", "spreadsheet"));
    table.get(
        "/leaderboards/{instanceId}/top", HOT, READ_OR_PUBLIC_BOARD, instances::top, "k", "tenant");
    table.get(
        "/leaderboards/{instanceId}/rank/{userId}",
        HOT,
        READ_OR_PUBLIC_BOARD,
        instances::rank,
        "tenant");

    table.put(BOARD_USER, HOT, INGEST, scores::put);
    table.delete(BOARD_USER, HOT, INGEST, scores::delete);
    table.post(BOARD + "/scores", HOT, INGEST, scores::post);

    table.post(BOARD + "/reverts", BLOCKING, MANAGE, revertRoutes::revert);
    table.get(BOARD + "/guard", BLOCKING, MANAGE, guards::get);
    table.put(BOARD + "/guard", BLOCKING, MANAGE, guards::put);
    table.post(BOARD + "/guard/try", BLOCKING, MANAGE, guards::attempt);
    table.get(ANOMALIES, BLOCKING, MANAGE, guards::list, "state", "before", "limit");
    // A report decides nothing, so whoever may send scores may send it.
    table.post(ANOMALIES, BLOCKING, INGEST, guards::report);
    table.add(HttpMethod.POST, ANOMALY + "/approve", BLOCKING, MANAGE, Body.NONE, guards::approve);
    table.add(HttpMethod.POST, ANOMALY + "/reject", BLOCKING, MANAGE, Body.NONE, guards::reject);

    table.post(GAME + "/scores", HOT, INGEST, games::submit, "mode");
    table.get(
        GAME + "/leaderboard",
        HOT,
        READ_OR_PUBLIC_BOARD,
        games::leaderboard,
        SeasonQuery.with("limit", "offset", "cursor", "tenant"));
    table.get(
        GAME + "/users/{user_id}/context",
        HOT,
        READ_OR_PUBLIC_BOARD,
        games::context,
        SeasonQuery.with("window", "tenant"));
    table.post("/v1/scores/award", HOT, AWARD, awards::award, "board");
    table.get(
        "/v1/leaderboard",
        HOT,
        READ_OR_PUBLIC_BOARD,
        scoreboard::leaderboard,
        SeasonQuery.with("limit", "board", "tenant"));
    table.get("/v1/users/me/score", HOT, USER, scoreboard::ownScore, SeasonQuery.with("board"));
    table.get(
        BOARD + "/stream",
        HOT,
        STREAM,
        streams::board,
        SeasonQuery.with("top", "user", "window", "tenant", "lastEventId", "ticket"));
    table.post("/api/v1/stream", HOT, STREAM, streams::many);
    table.add(HttpMethod.POST, BOARD + "/tickets", BLOCKING, READ, Body.NONE, streams::ticket);
    table.get(
        "/v1/stream/leaderboard",
        HOT,
        STREAM,
        streams::scoreboard,
        SeasonQuery.with("board", "limit", "tenant", "lastEventId", "ticket"));
    table.get(
        "/v1/ws",
        HOT,
        STREAM,
        streams::socket,
        SeasonQuery.with("board", "limit", "tenant", "lastEventId", "ticket"));
    table.put("/api/v1/award-rules", BLOCKING, MANAGE, awardRules::put);
    table.get("/api/v1/award-rules", BLOCKING, READ, awardRules::get);
    table.get("/api/v1/award-receipt-key", BLOCKING, MANAGE, awardRules::receiptKey, "version");
    table.put("/api/v1/award-switch", BLOCKING, MANAGE, awardRules::change);
    table.get("/api/v1/award-switch", BLOCKING, READ, awardRules::getSwitch);
    table.get("/v1/users/{user_id}/scores", BLOCKING, READ, ranks::userScores);

    table.put(USER_DATA + "/profile", BLOCKING, INGEST, users::putProfile);
    table.get(USER_DATA + "/profile", BLOCKING, READ, users::getProfile);
    table.get(USER_DATA + "/export", BLOCKING, MANAGE, users::export);
    table.get(USER_DATA, BLOCKING, READ, ranks::user);
    table.delete(USER_DATA, BLOCKING, MANAGE, users::erase);
    table.put("/v1/users/me/profile", BLOCKING, USER, users::putOwnProfile);
    table.get("/v1/users/me/profile", BLOCKING, USER, users::getOwnProfile);
    table.get("/v1/users/me/export", BLOCKING, USER, users::exportOwn);
    table.delete("/v1/users/me", BLOCKING, USER, users::eraseOwn);

    table.post(CONFIGS, BLOCKING, MANAGE, configs::create);
    table.get(CONFIGS, BLOCKING, READ, configs::list, "limit", "offset");
    table.get(CONFIG, BLOCKING, READ, configs::get, "version");
    table.put(CONFIG, BLOCKING, MANAGE, configs::edit, "dryRun");
    table.patch(CONFIG, BLOCKING, MANAGE, configs::changeStatus, "dryRun");
    table.get(CONFIG + "/instances", BLOCKING, READ, configs::instances, "limit");
    table.post(CONFIG + "/try", BLOCKING, READ, configs::attempt);
    table.post("/api/v1/events", BLOCKING, INGEST, events::post);

    // Whoever registers a topic gets what others write to it, so a tenant cannot do it itself.
    table.post("/api/v1/topics", BLOCKING, ADMIN, tenants::createTopic);
    table.get("/api/v1/topics", BLOCKING, READ, tenants::listTopics);
    table.post("/api/v1/tenants", BLOCKING, ADMIN, tenants::create);
    table.get("/api/v1/tenants", BLOCKING, ADMIN, tenants::list);

    table.post("/api/v1/issuers", BLOCKING, MANAGE, issuerRoutes::create);
    table.get("/api/v1/issuers", BLOCKING, MANAGE, issuerRoutes::list);
    table.delete("/api/v1/issuers/{issuerId}", BLOCKING, MANAGE, issuerRoutes::delete);

    table.put("/api/v1/cors", BLOCKING, MANAGE, cors::put);
    table.get("/api/v1/cors", BLOCKING, MANAGE, cors::get);

    table.post(PODS, BLOCKING, ADMIN, podRoutes::create);
    table.get(PODS + "/{podId}", BLOCKING, READ, podRoutes::get);
    table.patch(PODS + "/{podId}", BLOCKING, ADMIN, podRoutes::change);
    table.get(PODS, BLOCKING, READ, podRoutes::list);
    table.post(SCHEMAS, BLOCKING, MANAGE, podRoutes::addSchema);
    table.get(SCHEMAS, BLOCKING, READ, podRoutes::schemas);
    table.get(SCHEMAS + "/{schemaVersion}", BLOCKING, READ, podRoutes::schema);
    table.patch(SCHEMAS + "/{schemaVersion}", BLOCKING, MANAGE, podRoutes::changeSchema);
    table.post(SCHEMAS + "/try", BLOCKING, READ, podRoutes::attempt);

    table.get(DEAD_LETTERS, BLOCKING, MANAGE, letters::list, "topic", "code", "limit", "cursor");
    table.post(DEAD_LETTERS + "/redrive", BLOCKING, MANAGE, letters::redrive);

    table.post(WEBHOOKS, BLOCKING, MANAGE, webhooks::create);
    table.get(WEBHOOKS, BLOCKING, MANAGE, webhooks::list, "removed");
    table.get(WEBHOOK, BLOCKING, MANAGE, webhooks::get);
    table.patch(WEBHOOK, BLOCKING, MANAGE, webhooks::change);
    table.post(WEBHOOK + "/secret", BLOCKING, MANAGE, webhooks::rotate);
    table.add(HttpMethod.POST, WEBHOOK + "/test", BLOCKING, MANAGE, Body.NONE, webhooks::test);
    table.delete(WEBHOOK, BLOCKING, MANAGE, webhooks::delete);
    table.get(WEBHOOK + "/deliveries", BLOCKING, MANAGE, webhooks::deliveries, "state", "limit");
    table.add(
        HttpMethod.POST,
        WEBHOOKS + "/deliveries/{deliveryId}/resend",
        BLOCKING,
        MANAGE,
        Body.NONE,
        webhooks::resend);

    table.get(ARCHIVES, BLOCKING, MANAGE, archives::list, "after", "limit");
    table.add(HttpMethod.POST, ARCHIVES + "/run", BLOCKING, MANAGE, Body.NONE, archives::runAll);
    table.get(ARCHIVE, BLOCKING, MANAGE, archives::get);
    table.add(HttpMethod.POST, ARCHIVE + "/run", BLOCKING, MANAGE, Body.NONE, archives::run);
    table.add(
        HttpMethod.POST, ARCHIVE + "/restore", BLOCKING, MANAGE, Body.NONE, archives::restore);
    table.add(HttpMethod.POST, ARCHIVE + "/verify", BLOCKING, MANAGE, Body.NONE, archives::verify);

    table.post(CHECKS, BLOCKING, MANAGE, checks::check);
    table.add(HttpMethod.POST, "/api/v1/ledger/verify", BLOCKING, ADMIN, Body.NONE, ledger::verify);
    table.get("/api/v1/repairs", BLOCKING, MANAGE, checks::repairs);

    table.post("/api/v1/keys", BLOCKING, MANAGE, keys::create);
    table.get("/api/v1/keys", BLOCKING, MANAGE, keys::list);
    table.delete("/api/v1/keys/{keyId}", BLOCKING, MANAGE, keys::revoke);

    ClockRoutes clocks = new ClockRoutes(clock);
    table.get("/api/v1/clock", BLOCKING, ADMIN, clocks::show);
    table.post("/api/v1/clock/confirm", BLOCKING, ADMIN, clocks::confirm);
    table.get("/api/v1/health", HOT, PUBLIC, health::alive);
    table.get("/api/v1/ready", HOT, PUBLIC, health::ready);
    table.get("/v1/healthz", HOT, PUBLIC, health::alive);
    table.get("/v1/readyz", BLOCKING, PUBLIC, health::readyz);
  }
}
