package dev.laurel.server.settings;

import dev.laurel.core.store.ApiKey.Scope;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.server.limits.TrustedProxies;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The registry of everything that can be configured. Help, environment names and file keys are
 * derived from it, so nothing is written twice. The values of a run are a {@link Configuration}.
 */
public final class Settings {
  private Settings() {}

  public static final Setting<String> CONFIG =
      Setting.text(
          "config",
          "FILE",
          null,
          "a file with settings; else laurel.yaml, laurel.yml or laurel.properties here");

  public static final Setting<Integer> PORT =
      Setting.integer("port", "8080", 0, 65535, "the port to listen on; 0 takes a free one")
          .alias("PORT");
  public static final Setting<String> HOST =
      Setting.text("host", "ADDRESS", "127.0.0.1", "the address to bind to; 0.0.0.0 for all");
  public static final Setting<Integer> OPS_PORT =
      Setting.integer(
          "ops-port",
          "0",
          0,
          65535,
          "a port of its own for health and metrics, without keys: for those alone who may see them;"
              + " 0 for none");
  public static final Setting<String> OPS_HOST =
      Setting.text("ops-host", "ADDRESS", "127.0.0.1", "the address that ops-port binds to");
  public static final Setting<String> DATA =
      Setting.text("data", "FOLDER", "laurel-data", "where everything is kept");
  public static final Setting<Boolean> REWRITE_FILE =
      Setting.bool(
          "rewrite-file",
          false,
          "true rewrites a large file of an older version at the start, so that it shrinks; needs as"
              + " much disk again");
  public static final Setting<String> DATABASE_URL =
      Setting.secret(
              "database-url",
              12,
              "PostgreSQL instead of a file: jdbc:postgresql://host/name, also with several hosts")
          .alias("POSTGRES_URL");
  public static final Setting<String> DATABASE_USER =
      Setting.text("database-user", "NAME", null, "whom to connect as, if the URL does not say it");
  public static final Setting<String> DATABASE_PASSWORD =
      Setting.secret("database-password", 1, "the password, if the URL does not say it");
  public static final Setting<String> ADMIN_KEY =
      Setting.secret("admin-key", 16, "the platform admin's key; else one is made and shown once");

  public static final Setting<String> ADMIN_KEY_FILE =
      Setting.text(
          "admin-key-file",
          "FILE",
          null,
          "where the first start writes the key that it makes, instead of showing it");

  public static final Setting<Integer> MAX_CONNECTIONS =
      Setting.automatic(
          "max-connections",
          1,
          1_000_000,
          "most connections at once; auto stays well below the file-descriptor limit, and has one"
              + " for each 32 KB of the heap at most");
  public static final Setting<Integer> MAX_CONNECTIONS_PER_ADDRESS =
      Setting.automatic(
          "max-connections-per-address",
          1,
          1_000_000,
          "most connections from one address that is no trusted proxy; auto is a quarter of"
              + " max-connections, and has no limit for this machine itself");
  public static final Setting<Integer> MAX_BODY_BYTES =
      Setting.integer("max-body-bytes", "1048576", 1024, 1 << 30, "the largest request body");
  public static final Setting<Integer> EVENT_LOOPS =
      Setting.automatic(
          "event-loops", 1, 1024, "threads that serve HTTP; auto leaves one core to all else");
  public static final Setting<Integer> MAX_BLOCKING =
      Setting.integer(
          "max-blocking", "512", 1, 1_000_000, "most requests at once that may wait for the store");
  public static final Setting<Integer> IDLE_SECONDS =
      Setting.integer("idle-seconds", "60", 1, 86_400, "closes a connection without a request");
  public static final Setting<Integer> BODY_SECONDS =
      Setting.integer("body-seconds", "20", 1, 3600, "how long a request body may take to arrive");
  public static final Setting<Integer> HEAD_SECONDS =
      Setting.integer(
          "head-seconds", "10", 1, 3600, "how long the line and the headers of a request may take");
  public static final Setting<Integer> BODY_RATE =
      Setting.integer(
          "body-rate",
          "1024",
          0,
          1 << 30,
          "bytes a second that a request body must bring, over any five seconds; 0 for no demand");
  public static final Setting<Integer> BODY_MEGABYTES =
      Setting.automatic(
          "body-megabytes",
          1,
          1_000_000,
          "memory for request bodies, of which callers without a key get an eighth; auto is an eighth"
              + " of what the heap has beyond 48 MB");
  public static final Setting<Integer> ANSWER_MEGABYTES =
      Setting.automatic(
          "answer-megabytes",
          1,
          1_000_000,
          "memory for answers that wait to be sent, and as much for those that callers do not read;"
              + " auto is a sixteenth of what the heap has beyond 48 MB");
  public static final Setting<Integer> SHUTDOWN_SECONDS =
      Setting.integer("shutdown-seconds", "5", 0, 600, "how long requests under way may finish");

  public static final Setting<String> TLS_CERT =
      Setting.text(
          "tls-cert",
          "FILE",
          null,
          "a certificate and those that lead to its authority, in PEM: HTTPS instead of HTTP; read"
              + " again when it changes");
  public static final Setting<String> TLS_KEY =
      Setting.text("tls-key", "FILE", null, "its private key, in PEM, not encrypted");
  public static final Setting<String> TLS_CLIENT_CA =
      Setting.text(
          "tls-client-ca",
          "FILE",
          null,
          "whose certificates callers may show, in PEM; else nobody is asked for one");
  public static final Setting<ClientCertificates> TLS_CLIENTS =
      Setting.choice(
          "tls-clients",
          ClientCertificates.class,
          ClientCertificates.SERVICES,
          "who must show one, with tls-client-ca: services (whoever writes or manages), all, or"
              + " nobody (optional)");
  public static final Setting<Integer> HSTS_SECONDS =
      Setting.automaticSeconds(
          "hsts-seconds",
          "how long browsers are to use nothing but HTTPS; auto: half a year with tls-cert, else"
              + " nothing is said. Behind a proxy that speaks HTTPS, give a number");

  public static final Setting<Integer> QUEUE_LINES =
      Setting.integer("queue-lines", "65536", 1, 10_000_000, "submissions that may wait to commit");
  public static final Setting<Integer> BATCH_LINES =
      Setting.integer("batch-lines", "8192", 1, 1_000_000, "most submissions in one transaction");
  public static final Setting<Integer> QUEUE_MEGABYTES =
      Setting.automatic(
          "queue-megabytes",
          1,
          1_000_000,
          "memory for submissions that wait or are being committed; auto is an eighth of what the heap"
              + " has beyond 48 MB");

  public static final Setting<Integer> INDEX_MEGABYTES =
      Setting.automatic(
          "index-megabytes",
          1,
          1_000_000,
          "memory for ranks and user ids; above it the seasons used least recently are unloaded; auto"
              + " is half of what the heap has beyond 48 MB");

  public static final Setting<String> REDIS_URL =
      Setting.secret(
              "redis-url",
              9,
              "ranks in Redis or Valkey, for all nodes: redis://, rediss://, redis-sentinel://, or"
                  + " redis-cluster://host:port,host:port")
          .alias("REDIS_URL");
  public static final Setting<String> REDIS_PREFIX =
      Setting.text("redis-prefix", "WORD", "laurel", "begins every key in Redis");

  public static final Setting<Integer> TOPIC_QPS_PER_PARTITION =
      Setting.integer(
          "topic-qps-per-partition",
          "1000",
          1,
          10_000_000,
          "events a second that a partition carries; boards may not expect more of a topic");

  public static final Setting<String> KAFKA_BOOTSTRAP =
      Setting.text(
          "kafka-bootstrap",
          "HOST:PORT,…",
          null,
          "Kafka brokers to read events from; LAUREL_KAFKA_SECURITY_PROTOCOL and the like (in a file"
              + " kafka.security.protocol) are handed to its clients");
  public static final Setting<String> KAFKA_GROUP =
      Setting.text("kafka-group", "NAME", "laurel", "the consumer group that the nodes share");

  public static final Setting<String> KAFKA_CHANGES =
      Setting.text(
          "kafka-changes",
          "TOPIC",
          null,
          "publishes every accepted change to this topic, such as laurel.changes; else nowhere");

  /** How the stream of changes calls users. */
  public enum ChangeUsers {
    IDS,
    PSEUDONYMS
  }

  public static final Setting<ChangeUsers> KAFKA_CHANGE_USERS =
      Setting.choice(
          "kafka-change-users",
          ChangeUsers.class,
          ChangeUsers.IDS,
          "ids, or pseudonyms: users have other names in kafka-changes, without metadata");

  public static final Setting<Integer> SHORTEST_SEASON =
      Setting.integer(
          "shortest-season",
          "60",
          1,
          86_400,
          "a cron whose seasons would be shorter is refused, in seconds");

  public static final Setting<Integer> MAX_BOARDS =
      Setting.integer(
          "max-boards", "1000", 1, 10_000_000, "most boards of a tenant, those of games included");

  public static final Setting<Integer> BOARD_MEGABYTES =
      Setting.automatic(
          "board-megabytes",
          1,
          1_000_000,
          "memory for the definitions of a tenant's boards; auto is a sixteenth of what the heap has"
              + " beyond 48 MB");

  public static final Setting<Integer> MISSED_SEASONS =
      Setting.integer(
          "missed-seasons",
          "10",
          0,
          10_000,
          "how many seasons of a window that were over before anybody could play are made, and told"
              + " to webhooks, after a downtime; the last ones");

  public static final Setting<Long> CLOCK_CONFIRM_AFTER =
      Setting.time(
          "clock-confirm-after",
          "PT5M",
          "how long a clock that has jumped must stay where it is to be believed");

  public static final Setting<PrivateAddresses> WEBHOOK_PRIVATE =
      Setting.choice(
          "webhook-private",
          PrivateAddresses.class,
          PrivateAddresses.REFUSE,
          "whether webhooks and jwksUrl of tenants may lead to private addresses, and jwksUrl without"
              + " https");

  public static final Setting<Long> FORGET_IDS_AFTER =
      Setting.time(
          "forget-ids-after",
          "P90D",
          Duration.ofHours(1), // whoever retries does so for a while
          "how long idempotency keys and the ids of events with a timestamp are remembered; older"
              + " events with an id are refused");
  public static final Setting<Long> FORGET_ANOMALIES_AFTER =
      Setting.time("forget-anomalies-after", "P365D", "how long it is known what guards caught");
  public static final Setting<Long> FORGET_DELIVERIES_AFTER =
      Setting.time(
          "forget-deliveries-after",
          "P30D",
          "how long a webhook's delivery can be looked at and sent again after it has ended");

  public static final Setting<String> ARCHIVE =
      Setting.text(
          "archive",
          "PLACE",
          null,
          "where seasons go that are over: a folder, or s3://bucket/prefix; else archive in the"
              + " data folder");
  public static final Setting<Long> ARCHIVE_AFTER =
      Setting.time("archive-after", "P30D", "how long after its last event a season is archived");
  public static final Setting<Long> PURGE_AFTER =
      Setting.time(
          "purge-after", "P30D", "how long an archived season is also kept in the database");
  public static final Setting<Pruning> LEDGER =
      Setting.choice(
          "ledger",
          Pruning.class,
          Pruning.KEEP,
          "whether lines of the ledger go when all their seasons were purged");
  public static final Setting<Long> LEDGER_KEEP =
      Setting.time(
          "ledger-keep",
          "P365D",
          Duration.ofHours(1),
          "with ledger=prune: how long lines are kept whose seasons were not purged");
  public static final Setting<String> LEDGER_KEY =
      Setting.secret(
          "ledger-key",
          LedgerKey.MIN_CHARACTERS,
          "what the ledger is chained with; else the file ledger.key, or no chain with a database");
  public static final Setting<Boolean> NEW_LEDGER_CHAIN =
      Setting.bool(
          "new-ledger-chain",
          false,
          "true begins the ledger's chain anew where it was made with another key");
  public static final Setting<String> S3_ENDPOINT =
      Setting.text("s3-endpoint", "URL", null, "of a server that speaks S3; else Amazon's");
  public static final Setting<String> S3_REGION =
      Setting.text("s3-region", "REGION", null, "of the bucket; else what AWS's own settings say");

  public static final Setting<Long> CHECK_EVERY =
      Setting.time(
          "check-every", "PT10M", "how often ranks that changed are compared with the database");
  public static final Setting<Integer> CHECK_HOUR =
      Setting.hour("check-hour", "3", "when at night all ranks are compared with the database");

  public static final Setting<Set<Scope>> ANONYMOUS =
      Setting.scopes(
          "anonymous",
          "what calls without a key may do in the tenant default: read, ingest, or none");

  public static final Setting<String> JWT_JWKS_URL =
      Setting.text(
              "jwt-jwks-url",
              "URL",
              null,
              "the keys of those whose tokens the tenant default accepts: http, https or file")
          .alias("JWT_JWKS_URL");
  public static final Setting<String> JWT_ISSUER =
      Setting.text("jwt-issuer", "TEXT", null, "what their tokens have as iss").alias("JWT_ISSUER");
  public static final Setting<String> JWT_AUDIENCE =
      Setting.text("jwt-audience", "TEXT", null, "what their tokens have as aud")
          .alias("JWT_AUDIENCE");

  public static final Setting<String> AWARD_RULES =
      Setting.text(
              "award-rules",
              "FILE",
              null,
              "points for actions in the tenant default, from a file that is followed")
          .alias("ACTION_RULES_JSON_PATH");
  public static final Setting<String> AWARD_RULES_KEY =
      Setting.text(
          "award-rules-key",
          "FILE",
          null,
          "a public key, Ed25519 or RSA: rules must be signed by it (FILE.sig, in base64)");
  public static final Setting<Boolean> AWARDING_ENABLED =
      Setting.bool("awarding-enabled", true, "false refuses every award").alias("AWARDING_ENABLED");
  public static final Setting<Integer> AWARD_SLOW_MILLIS =
      Setting.integer(
          "award-slow-millis",
          "150",
          0,
          3_600_000,
          "an award that took longer is answered 202, without the top list");
  public static final Setting<Integer> AWARD_DEADLINE_MILLIS =
      Setting.integer(
          "award-deadline-millis",
          "5000",
          1,
          3_600_000,
          "an award that is not stored by then is answered 503");

  public static final Setting<Integer> AWARD_RATE =
      Setting.integer(
              "award-rate-per-minute", "10", 0, 1_000_000, "most awards of a user; 0: no limit")
          .alias("AWARD_RATE_PER_MINUTE");
  public static final Setting<Integer> USER_RATE =
      Setting.integer(
          "user-rate-per-minute", "30", 0, 1_000_000, "most requests of a user; 0: no limit");
  public static final Setting<Boolean> LOG_ADDRESSES =
      Setting.bool(
          "log-addresses",
          false,
          "true writes addresses as they are to the log of refused credentials, for programs that"
              + " block them; else hashes");
  public static final Setting<Integer> OWN_DATA_PER_DAY =
      Setting.integer(
          "own-data-per-day",
          "5",
          0,
          1_000_000,
          "how often a day a user may export all of their data, and how often erase it; 0: no"
              + " limit");
  public static final Setting<Integer> ADDRESS_RATE =
      Setting.integer(
          "address-rate-per-minute",
          "120",
          0,
          10_000_000,
          "most that strangers send from one address, and wrong credentials; 0: no limit");
  public static final Setting<Integer> ADDRESS_READ_RATE =
      Setting.integer(
          "address-read-rate-per-minute",
          "6000",
          0,
          10_000_000,
          "most that strangers read from one address, and its users do: many share one; 0: no"
              + " limit");
  public static final Setting<Integer> GAME_RATE =
      Setting.integer(
          "game-rate-per-minute",
          "6000",
          0,
          10_000_000,
          "most scores of strangers (anonymous) for one game or board; 0: no limit");
  public static final Setting<Boolean> STREAMS =
      Setting.bool("streams", true, "false refuses every stream: whoever watches polls");
  public static final Setting<Integer> STREAM_MEGABYTES =
      Setting.automatic(
          "stream-megabytes",
          1,
          1_000_000,
          "memory for the ranges that streams watch, and for their last messages; auto is an eighth"
              + " of what the heap has beyond 48 MB");
  public static final Setting<Integer> SSE_HEARTBEAT =
      Setting.integer(
              "sse-heartbeat",
              "15000",
              10,
              3_600_000,
              "milliseconds between signs of life in streams")
          .alias("SSE_HEARTBEAT_MS");
  public static final Setting<Integer> SSE_SLOW =
      Setting.integer(
          "sse-slow",
          "10000",
          10,
          3_600_000,
          "a stream whose reader is behind for so many milliseconds is closed");
  public static final Setting<Integer> SSE_CLIENTS =
      Setting.integer(
          "sse-clients", "20000", 0, 1_000_000, "most streams of this node; 0: no limit");
  public static final Setting<Integer> SSE_CLIENTS_PER_ADDRESS =
      Setting.integer(
          "sse-clients-per-address",
          "100",
          0,
          1_000_000,
          "most streams from one address; 0: no limit");
  public static final Setting<TrustedProxies> TRUSTED_PROXIES =
      Setting.proxies(
          "trusted-proxies", "whose X-Forwarded-For counts: addresses and networks, or none");

  public static final Setting<Boolean> DEMO =
      Setting.bool("demo", false, "fills some public boards and keeps them moving, to look at");

  public static final Setting<AccessLogMode> ACCESS_LOG =
      Setting.choice(
          "access-log", AccessLogMode.class, AccessLogMode.ERRORS, "which requests are logged");
  public static final Setting<LogLevel> LOG_LEVEL =
      Setting.choice("log-level", LogLevel.class, LogLevel.INFO, "how much is logged");

  /** In the order of the help. */
  public static final List<Setting<?>> ALL =
      List.of(
          CONFIG,
          PORT,
          HOST,
          OPS_PORT,
          OPS_HOST,
          DATA,
          REWRITE_FILE,
          DATABASE_URL,
          DATABASE_USER,
          DATABASE_PASSWORD,
          ADMIN_KEY,
          ADMIN_KEY_FILE,
          MAX_CONNECTIONS,
          MAX_CONNECTIONS_PER_ADDRESS,
          MAX_BODY_BYTES,
          EVENT_LOOPS,
          MAX_BLOCKING,
          IDLE_SECONDS,
          HEAD_SECONDS,
          BODY_SECONDS,
          BODY_RATE,
          BODY_MEGABYTES,
          ANSWER_MEGABYTES,
          SHUTDOWN_SECONDS,
          TLS_CERT,
          TLS_KEY,
          TLS_CLIENT_CA,
          TLS_CLIENTS,
          HSTS_SECONDS,
          QUEUE_LINES,
          BATCH_LINES,
          QUEUE_MEGABYTES,
          INDEX_MEGABYTES,
          REDIS_URL,
          REDIS_PREFIX,
          TOPIC_QPS_PER_PARTITION,
          KAFKA_BOOTSTRAP,
          KAFKA_GROUP,
          KAFKA_CHANGES,
          KAFKA_CHANGE_USERS,
          SHORTEST_SEASON,
          MAX_BOARDS,
          BOARD_MEGABYTES,
          MISSED_SEASONS,
          CLOCK_CONFIRM_AFTER,
          WEBHOOK_PRIVATE,
          FORGET_IDS_AFTER,
          FORGET_ANOMALIES_AFTER,
          FORGET_DELIVERIES_AFTER,
          ARCHIVE,
          ARCHIVE_AFTER,
          PURGE_AFTER,
          LEDGER,
          LEDGER_KEEP,
          LEDGER_KEY,
          NEW_LEDGER_CHAIN,
          S3_ENDPOINT,
          S3_REGION,
          CHECK_EVERY,
          CHECK_HOUR,
          ANONYMOUS,
          JWT_JWKS_URL,
          JWT_ISSUER,
          JWT_AUDIENCE,
          AWARD_RULES,
          AWARD_RULES_KEY,
          AWARDING_ENABLED,
          AWARD_SLOW_MILLIS,
          AWARD_DEADLINE_MILLIS,
          AWARD_RATE,
          USER_RATE,
          LOG_ADDRESSES,
          OWN_DATA_PER_DAY,
          ADDRESS_RATE,
          ADDRESS_READ_RATE,
          GAME_RATE,
          STREAMS,
          STREAM_MEGABYTES,
          SSE_HEARTBEAT,
          SSE_SLOW,
          SSE_CLIENTS,
          SSE_CLIENTS_PER_ADDRESS,
          TRUSTED_PROXIES,
          DEMO,
          ACCESS_LOG,
          LOG_LEVEL);
}
