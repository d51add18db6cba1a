// Made from openapi.yaml by the server's tests (TypeScriptTypes): change that file, not this one.

export type Anomaly = {
  line: number;
  userId: string;
  rule: "PER_MINUTE" | "PER_HOUR" | "USER_Z_SCORE" | "BOARD_Z_SCORE" | "JUMP" | "USERS_PER_ADDRESS" | "REPORTED";
  value: number;
  threshold: number;
  outcome: GuardAction;
  state: "OPEN" | "RECORDED" | "APPROVED" | "REJECTED";
  at: string;
  report?: AnomalyReport;
  reviewedBy?: number;
  reviewedAt?: string;
};

export type AnomalyReport = {
  by: string;
  reason: string;
  details?: Record<string, unknown>;
};

export type GuardKind = "PER_MINUTE" | "PER_HOUR" | "USER_Z_SCORE" | "BOARD_Z_SCORE" | "JUMP" | "USERS_PER_ADDRESS";

export type GuardAction = "RECORD" | "FLAG" | "QUARANTINE" | "REFUSE";

export type GuardRules = Array<{
  rule: GuardKind;
  threshold: number;
  outcome: GuardAction;
}>;

export type Guard = {
  UUID: string;
  rules: GuardRules;
};

export type RevertedRow = {
  score: number;
  rank?: number;
  outside?: true;
};

export type AllowedOrigins = {
  origins: Array<string>;
};

export type Issuer = {
  issuerId: number;
  issuer: string;
  audience: string;
  jwksUrl?: string;
  jwks?: Record<string, unknown>;
  algorithms: Array<"RS256" | "ES256">;
  userPrefix: string;
  createdAt: string;
};

export type ScoreboardRow = {
  user_id: string;
  display_name?: string;
  total: number;
};

export type AwardRules = {
  version: number;
  rules: Record<string, number>;
  disabled: Array<string>;
  boards: Array<string>;
  limits: Record<string, number>;
  receipts: Array<string>;
  receiptKeyVersion: number;
  signed: boolean;
  createdAt: string;
  createdBy: string;
  enabled: boolean;
  stoppedBy: AwardStops;
  switchedOff: Array<string>;
};

export type AwardStops = Array<"SETTING" | "SWITCH">;

export type AwardSwitch = {
  enabled: boolean;
  stoppedBy: AwardStops;
  switchedOff: Array<string>;
};

export type Archive = {
  number: number;
  UUID: string;
  instanceId: string;
  label: string;
  state: "SCHEDULED" | "ACTIVE" | "CLOSING" | "COMPLETED" | "FROZEN" | "FINAL" | "ARCHIVING" | "ARCHIVED" | "PURGING" | "PURGED" | "RESTORING";
  archivedAt?: string;
  users?: number;
  bytes?: number;
  sha256?: string;
  progress?: {
    done: number;
    total: number;
    problem?: string;
  };
};

export type Archives = {
  archives: Array<Archive>;
};

export type ArchivePage = {
  archives: Array<Archive>;
  purging: {
    state: "ON" | "WAITING";
    problem?: string;
  };
};

export type BoardStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED";

export type Scope = "read" | "ingest" | "manage" | "admin" | "metrics";

export type GameMode = "best" | "latest" | "increment";

export type Mode = "best" | "latest" | "increment";

export type Bounds = {
  min?: number;
  max?: number;
};

export type LeaderboardDefinition = {
  UUID: string;
  podId?: string;
  name?: string;
  status?: "DRAFT" | "ACTIVE";
  startTime?: string;
  endTime?: string;
  metadata?: Record<string, unknown>;
  order?: "HIGHEST_FIRST" | "LOWEST_FIRST";
  ties?: "EARLIEST_FIRST" | "SHARED" | "DENSE";
  update?: "BEST" | "LATEST" | "SUM";
  decimals?: number;
  bounds?: Bounds;
  visibility?: "PRIVATE" | "PUBLIC";
  windows?: Array<Window>;
};

export type Window = {
  name?: string;
  schedule: "all-time" | "hourly" | "daily" | "weekly" | "monthly" | "every" | "cron";
  firstDay?: "MONDAY" | "TUESDAY" | "WEDNESDAY" | "THURSDAY" | "FRIDAY" | "SATURDAY" | "SUNDAY";
  every?: number;
  unit?: "DAYS" | "WEEKS";
  from?: string;
  cronExpression?: string;
  duration?: string;
  timeZone?: string;
  until?: string;
  grace?: string;
  capacity?: number;
  prizes?: Array<PrizeTier>;
};

export type PrizeTier = {
  name: string;
  from?: number;
  to?: number;
  percent?: number;
  reward?: Record<string, unknown>;
};

export type Season = {
  instanceId: string;
  label: string;
  startTime?: string;
  endTime?: string;
  status: "SCHEDULED" | "ACTIVE" | "COMPLETED" | "ARCHIVED";
  final: boolean;
};

export type SeasonChange = {
  change: "OPENED" | "REOPENED" | "MOVED" | "ENDED" | "REMOVED";
  season: Season;
};

export type SeasonOfUser = {
  instanceId: string;
  label: string;
  startTime?: string;
  endTime?: string;
  status: "SCHEDULED" | "ACTIVE" | "COMPLETED" | "ARCHIVED";
  final: boolean;
  rank?: number;
  outside?: Outside;
  score: number;
  timestamp: string;
  totalUsers: number;
};

export type FeatureConfig = {
  features: Array<{
    name: string;
    dataType: "STRING" | "INTEGER" | "FLOAT" | "BOOLEAN";
    required?: boolean;
  }>;
};

export type ScoringStrategy = {
  spelExpression?: string;
  feature?: string;
  features?: Array<string>;
};

export type RecurringConfig = {
  cronExpression: string;
  duration?: string;
  timeZone?: string;
  recurringEndTime?: string | null;
  grace?: string;
};

export type ConfigDefinition = {
  tenantId: string;
  name: string;
  featureConfig: FeatureConfig;
  scoringStrategy: ScoringStrategy;
  recurringConfig?: RecurringConfig;
  topicName: string;
  writeQPS: number;
  startTime: string;
  rankingOrder: "HIGHEST_FIRST" | "LOWEST_FIRST";
  update?: "BEST" | "LATEST" | "SUM";
  decimals?: number;
  visibility?: "PRIVATE" | "PUBLIC";
  windows?: Array<Window>;
  endTime?: string;
  ties?: "EARLIEST_FIRST" | "SHARED" | "DENSE";
  bounds?: Bounds;
  metadata?: Record<string, unknown>;
};

export type ConfigChange = {
  tenantId?: string;
  name?: string;
  featureConfig?: FeatureConfig;
  scoringStrategy?: ScoringStrategy;
  recurringConfig?: RecurringConfig;
  topicName?: string;
  writeQPS?: number;
  startTime?: string;
  rankingOrder?: "HIGHEST_FIRST" | "LOWEST_FIRST";
  update?: "BEST" | "LATEST" | "SUM";
  decimals?: number;
  visibility?: "PRIVATE" | "PUBLIC";
  windows?: Array<Window>;
  endTime?: string | null;
  ties?: "EARLIEST_FIRST" | "SHARED" | "DENSE";
  metadata?: Record<string, unknown>;
};

export type Config = {
  configId: string;
  id: string;
  tenantId: string;
  version: number;
  status: BoardStatus;
  ties: "EARLIEST_FIRST" | "SHARED" | "DENSE";
  name: string;
  featureConfig?: FeatureConfig;
  scoringStrategy?: ScoringStrategy;
  recurringConfig?: RecurringConfig;
  topicName?: string;
  writeQPS?: number;
  startTime?: string;
  rankingOrder: "HIGHEST_FIRST" | "LOWEST_FIRST";
  update: "BEST" | "LATEST" | "SUM";
  decimals: number;
  visibility: "PRIVATE" | "PUBLIC";
  windows: Array<Window>;
  endTime?: string;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  sample?: {
    features: Record<string, unknown>;
    score?: number;
    error?: string;
  };
  dryRun?: boolean;
  seasonChanges?: Array<SeasonChange>;
};

export type Event = {
  leaderboardConfigId: string;
  userId: string;
  timestamp?: string;
  features: Record<string, unknown>;
  eventId?: string;
  metadata?: Record<string, unknown>;
};

export type CommonEventSubmission = {
  eventType?: "SCORE_UPDATE";
  podId?: string;
  UUID: string;
  userId: string;
  score: number;
  mode?: string;
  timestamp?: string;
  eventId?: string;
  metadata?: Record<string, unknown>;
};

export type SeasonEvent = "season.started" | "season.closing_soon" | "season.completed" | "season.reopened" | "prizes.ready" | "award.recorded";

export type Watch = {
  board: string;
  top?: number;
  user?: string;
  window?: number;
  tenant?: string;
  period?: string;
  season?: string;
  at?: string;
  lastEventId?: string;
  ticket?: string;
};

export type DeliveryState = "PENDING" | "PAUSED" | "DELIVERED" | "FAILED" | "CANCELLED";

export type Webhook = {
  webhookId: number;
  url: string;
  events: Array<SeasonEvent>;
  UUID?: string;
  secret?: string;
  paused: boolean;
  oldSecretUntil?: string;
  removedAt?: string;
  createdAt: string;
  createdBy: string;
};

export type Delivery = {
  deliveryId: string;
  webhookId: number;
  eventId: string;
  event: string;
  createdAt: string;
  state: DeliveryState;
  nextAttemptAt?: string;
  payload: WebhookPayload;
  attempts: Array<{
    number: number;
    at: string;
    millis: number;
    status?: number;
    error?: string;
  }>;
};

export type WebhookPayload = {
  webhookId?: number;
  revision?: number;
  type?: string;
  shard?: number;
  line?: number;
  userId?: string;
  points?: number;
  timestamp?: string;
  held?: true;
  features?: {
    awardsLastMinute: number;
    awardsLastHour: number;
    zScore: number;
  };
  metadata?: Record<string, unknown>;
  id: string;
  event?: string;
  createdAt?: string;
  tenantId: string;
  leaderboardId?: string;
  UUID?: string;
  season?: {
    instanceId: string;
    label: string;
    period?: string;
    startTime?: string;
    endTime?: string;
    status: "SCHEDULED" | "ACTIVE" | "COMPLETED" | "ARCHIVED";
  };
};

export type Topic = {
  topicName: string;
  tenantId: string;
  numberOfPartitions: number;
  writeQPSCapacity: number;
  writeQPSUsed: number;
};

export type Pod = {
  podId: string;
  tenantId: string;
  topicName: string;
  versionField?: string;
  versionHeader?: string;
  createdAt: string;
};

export type FieldMappings = {
  userId: string;
  score: string;
  timestamp: string;
  UUID: string;
  eventId?: string;
};

export type TimestampFormat = "ISO_8601" | "EPOCH_MILLIS" | "EPOCH_SECONDS";

export type SchemaStatus = "DRAFT" | "ACTIVE" | "DEPRECATED" | "REMOVED";

export type PodSchema = {
  podId: string;
  schemaVersion: string;
  fieldMappings: FieldMappings;
  timestampFormat: TimestampFormat;
  scoreType: "integer" | "double";
  status: SchemaStatus;
  createdAt: string;
};

export type CommonEvent = {
  eventId?: string;
  eventType: "SCORE_UPDATE";
  podId: string;
  UUID: string;
  userId: string;
  score: number;
  timestamp: string;
  metadata: Record<string, unknown>;
};

export type DeadLetter = {
  id: string;
  topic: string;
  code: string;
  reason: string;
  schemaVersion?: string;
  at: string;
  attempt: number;
  cutFrom?: number;
  key?: string;
  value?: string;
};

export type Tenant = {
  tenantId: string;
  name: string;
  createdAt: string;
};

export type UserScore = {
  UUID: string;
  name: string;
  period?: string;
  season: string;
  rank?: number;
  outside?: Outside;
  score: number;
  timestamp: string;
  total: number;
};

export type LeaderboardChange = {
  status?: BoardStatus;
  name?: string;
  podId?: string | null;
  startTime?: string | null;
  endTime?: string | null;
  visibility?: "PRIVATE" | "PUBLIC";
  windows?: Array<Window>;
  metadata?: Record<string, unknown> | null;
};

export type Leaderboard = {
  UUID: string;
  leaderboardId: string;
  podId?: string;
  name: string;
  status: BoardStatus;
  version: number;
  order: "HIGHEST_FIRST" | "LOWEST_FIRST";
  ties: "EARLIEST_FIRST" | "SHARED" | "DENSE";
  update: "BEST" | "LATEST" | "SUM";
  decimals: number;
  bounds: Bounds;
  visibility: "PRIVATE" | "PUBLIC";
  windows: Array<Window>;
  createdAt: string;
  updatedAt: string;
  createdBy?: string;
  startTime?: string;
  endTime?: string;
  metadata: Record<string, unknown>;
  totalUsers: number;
  dryRun?: boolean;
  seasonChanges?: Array<SeasonChange>;
};

export type ScoreBody = {
  score: number;
  timestamp?: string;
  mode?: Mode;
  eventId?: string;
  metadata?: Record<string, unknown>;
};

export type ScoreLine = {
  userId: string;
  score: number;
  timestamp?: string;
  mode?: Mode;
  eventId?: string;
  metadata?: Record<string, unknown>;
};

export type Outcome = "APPLIED" | "UNCHANGED" | "DUPLICATE" | "HELD" | "REJECTED";

export type LineResult = {
  userId: string | null;
  outcome: Outcome;
  score?: number;
  timestamp?: string;
  period?: ReachedPeriod;
  missed?: MissedPeriods;
  code?: ErrorCode;
  message?: string;
};

export type Updated = {
  UUID: string;
  userId: string;
  score?: number;
  rank?: RankAfterWrite;
  outside?: Outside;
  updatedAt?: string;
  outcome: Outcome;
  period?: ReachedPeriod;
  missed?: MissedPeriods;
};

export type RankAfterWrite = number | null;

export type ReachedPeriod = string;

export type MissedPeriods = Array<string>;

export type Row = {
  userId: string;
  displayName?: string;
  rank: number;
  score: number;
  timestamp: string;
};

export type DisplayName = string;

export type Anonymous = "never" | "everywhere" | {
  below: number;
};

export type Profile = {
  userId: string;
  displayName?: string;
  anonymous: Anonymous;
};

export type OwnProfile = {
  user_id: string;
  display_name?: string;
  anonymous: Anonymous;
};

export type UserExport = {
  userId: string;
  profile: {
    displayName?: string;
    anonymous: Anonymous;
  };
  entries: Array<{
    UUID: string;
    instanceId: string;
    deleted: boolean;
    score?: number;
    timestamp?: string;
    metadata?: Record<string, unknown>;
  }>;
  prizes: Array<{
    UUID: string;
    instanceId: string;
    tier: Record<string, unknown>;
    rank: number;
  }>;
  lines: Array<{
    UUID: string;
    line: number;
    kind: "SCORE" | "DELETE" | "REVERT" | "HOLD" | "RELEASE" | "ERASE";
    mode?: "BEST" | "LATEST" | "SUM";
    value?: number;
    timestamp: string;
    eventId?: string;
    client?: string;
    anomaly?: {
      rule: string;
      value: number;
      threshold: number;
      outcome: string;
      state: string;
      at: string;
      report?: AnomalyReport;
    };
    metadata?: Record<string, unknown>;
  }>;
};

export type Outside = true;

export type Standing = {
  userId: string;
  displayName?: string;
  rank?: number;
  outside?: Outside;
  score: number;
  timestamp: string;
};

export type Top = {
  UUID: string;
  users: Array<Row>;
  totalUsers: number;
  retrievedAt: string;
  nextCursor?: string;
};

export type Rank = {
  UUID: string;
  userId: string;
  displayName?: string;
  rank?: number;
  outside?: Outside;
  score: number;
  timestamp: string;
  percentile?: number;
  totalUsers: number;
  metadata?: Record<string, unknown> | null;
};

export type GameRow = {
  rank: number;
  user_id: string;
  score: number;
};

export type GameStanding = {
  rank?: number;
  outside?: Outside;
  user_id: string;
  score: number;
};

export type Key = {
  keyId: number;
  name: string;
  scopes: Array<Scope>;
  hint: string;
  key?: string;
  createdAt: string;
  createdBy: string;
  revokedAt?: string;
};

export type Status = {
  status: string;
  clock?: "IN_DOUBT";
  redis?: "DOWN";
};

export type Clock = {
  state: "KNOWN" | "IN_DOUBT";
  time: string;
  trusted?: string;
  claimed?: string;
  inDoubtSeconds?: number;
  confirmsInSeconds?: number;
  objected?: boolean;
  offsetMillis: number;
};

export type Error = {
  error: {
    code: ErrorCode;
    message: string;
    details: Record<string, unknown>;
  };
};

export type ErrorCode = "VALIDATION_ERROR" | "MALFORMED_JSON" | "UNKNOWN_FIELD" | "INVALID_SCORE" | "SCORE_OUT_OF_BOUNDS" | "FEATURE_MISSING" | "FEATURE_INVALID" | "EXPRESSION_INVALID" | "EVALUATION_FAILED" | "INVALID_TIMESTAMP" | "SCHEMA_MISMATCH" | "POD_NOT_ALLOWED" | "INVALID_CURSOR" | "INVALID_IDEMPOTENCY_KEY" | "TENANT_NOT_FOUND" | "UNAUTHENTICATED" | "FORBIDDEN" | "CERTIFICATE_REQUIRED" | "NOT_FOUND" | "BOARD_NOT_FOUND" | "USER_NOT_FOUND" | "KEY_NOT_FOUND" | "ISSUER_NOT_FOUND" | "SEASON_NOT_FOUND" | "ARCHIVE_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "LINE_NOT_FOUND" | "LINE_NOT_REVERTIBLE" | "LEDGER_PRUNED" | "SEASON_ARCHIVED" | "TOO_MANY_LINES" | "ANOMALY_REFUSED" | "ANOMALY_NOT_FOUND" | "ANOMALY_DECIDED" | "POD_NOT_FOUND" | "SCHEMA_NOT_FOUND" | "POD_EXISTS" | "SCHEMA_EXISTS" | "TOO_MANY_WEBHOOKS" | "PERIOD_NOT_FOUND" | "TOPIC_NOT_FOUND" | "TOPIC_CAPACITY_EXCEEDED" | "METHOD_NOT_ALLOWED" | "BOARD_EXISTS" | "TOO_MANY_BOARDS" | "TENANT_EXISTS" | "ISSUER_EXISTS" | "TOO_MANY_ISSUERS" | "IMMUTABLE_FIELD" | "CONFIG_NOT_FOUND" | "TOPIC_EXISTS" | "BOARD_NOT_ACTIVE" | "ILLEGAL_STATUS_CHANGE" | "VERSION_MISMATCH" | "VERSION_NOT_FOUND" | "LAST_WINDOW" | "LAST_ADMIN_KEY" | "IDEMPOTENCY_CONFLICT" | "EVENT_ID_CONFLICT" | "SEASON_NOT_STARTED" | "SEASON_CLOSED" | "TIME_OUT_OF_RANGE" | "TIME_IN_FUTURE" | "EVENT_TOO_OLD" | "ACTION_REPLAYED" | "UNKNOWN_ACTION" | "ACTION_DISABLED" | "ACTION_LIMIT_REACHED" | "RECEIPT_INVALID" | "AWARDS_DISABLED" | "RULES_NOT_FOUND" | "RULES_OUTDATED" | "SIGNATURE_INVALID" | "LEDGER_NOT_CHAINED" | "RATE_LIMITED" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "MALFORMED_REQUEST" | "URI_TOO_LONG" | "HEADERS_TOO_LARGE" | "REQUEST_TIMEOUT" | "OVERLOADED" | "PAGE_TOO_DEEP" | "TOO_MANY_USERS" | "STORE_UNAVAILABLE" | "REDIS_UNAVAILABLE" | "ARCHIVE_UNAVAILABLE" | "ARCHIVE_DAMAGED" | "KAFKA_UNAVAILABLE" | "CLOCK_IN_DOUBT" | "STREAMS_DISABLED" | "SHUTTING_DOWN" | "NODE_FAILED" | "INTERNAL_ERROR";

/** What each operation takes and answers, by its operationId. */
export interface Operations {
  /** Create a leaderboard (scope manage) */
  createLeaderboard: {
    input: {
      body: LeaderboardDefinition;
    };
    answer: Leaderboard;
  };
  /** List the tenant's leaderboards, oldest first (scope read; the public ones without a key) */
  listLeaderboards: {
    input: {
      tenant?: string;
      podId?: string;
      status?: BoardStatus;
      limit?: number;
      offset?: number;
    };
    answer: {
      leaderboards: Array<Leaderboard>;
      total: number;
      limit: number;
      offset: number;
    };
  };
  /** A leaderboard's metadata, at the version in force or an older one (scope read, or a public board) */
  getLeaderboard: {
    input: {
      UUID: string;
      version?: number;
      tenant?: string;
    };
    answer: Leaderboard;
  };
  /** Change status, name, pod, times, visibility or metadata (scope manage) */
  changeLeaderboard: {
    input: {
      UUID: string;
      dryRun?: boolean;
      body: LeaderboardChange;
    };
    answer: Leaderboard;
  };
  /** Add a window, or change one; the others stay as they are (scope manage) */
  putWindow: {
    input: {
      UUID: string;
      window: string;
      dryRun?: boolean;
      body: Window;
    };
    answer: Leaderboard;
  };
  /** Take a window away; the others stay as they are (scope manage) */
  deleteWindow: {
    input: {
      UUID: string;
      window: string;
      dryRun?: boolean;
    };
    answer: Leaderboard;
  };
  /** The best users (scope read, or a public board) */
  top: {
    input: {
      UUID: string;
      limit: number;
      offset?: number;
      cursor?: string;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: Top;
  };
  /** A ticket that opens streams of this board for a minute (scope read) */
  createTicket: {
    input: {
      UUID: string;
    };
    answer: {
      ticket: string;
      expiresAt: string;
    };
  };
  /** Submit a user's score (scope ingest) */
  putScore: {
    input: {
      UUID: string;
      userId: string;
      body: ScoreBody;
    };
    answer: Updated;
  };
  /** Take a user off the board (scope ingest) */
  deleteUser: {
    input: {
      UUID: string;
      userId: string;
    };
    answer: {
      UUID: string;
      userId: string;
      deleted: boolean;
    };
  };
  /** A user's rank (scope read, or a public board) */
  rank: {
    input: {
      UUID: string;
      userId: string;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: Rank;
  };
  /** A user and the neighbours (scope read, or a public board) */
  around: {
    input: {
      UUID: string;
      userId: string;
      window?: number;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: {
      UUID: string;
      user: Standing;
      above: Array<Row>;
      below: Array<Row>;
      totalUsers: number;
    };
  };
  /** Submit up to 1,000 scores at once (scope ingest) */
  postScores: {
    input: {
      UUID: string;
      body: {
      scores: Array<ScoreLine>;
    };
    };
    answer: {
      results: Array<LineResult>;
    };
  };
  /** The seasons of a window, newest first (scope read, or a public board) */
  seasons: {
    input: {
      UUID: string;
      period?: string;
      before?: string;
      limit?: number;
      tenant?: string;
    };
    answer: {
      UUID: string;
      period: string;
      seasons: Array<Season>;
    };
  };
  /** A user's ranks over the seasons of a window, newest first (scope read, or a public board) */
  history: {
    input: {
      UUID: string;
      userId: string;
      period?: string;
      before?: string;
      limit?: number;
      tenant?: string;
    };
    answer: {
      UUID: string;
      userId: string;
      period: string;
      seasons: Array<SeasonOfUser>;
    };
  };
  /** Who wins what (scope read) */
  prizes: {
    input: {
      UUID: string;
      offset?: number;
      limit?: number;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: {
      UUID: string;
      season: Season;
      dryRun: boolean;
      revision?: number;
      totalUsers: number;
      totalWinners: number;
      nextOffset?: number;
      tiers: Array<{
        tier: PrizeTier;
        winners: Array<{
          userId: string;
          rank: number;
          score: number;
        }>;
      }>;
    };
  };
  /** A whole season as a file (scope read) */
  exportSeason: {
    input: {
      UUID: string;
      format?: "csv" | "jsonl";
      spreadsheet?: boolean;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: string;
  };
  /** Describe a board that scores events and runs by itself (scope manage) */
  createConfig: {
    input: {
      body: ConfigDefinition;
    };
    answer: Config;
  };
  /** The tenant's configurations, oldest first (scope read) */
  listConfigs: {
    input: {
      limit?: number;
      offset?: number;
    };
    answer: {
      configs: Array<Config>;
      total: number;
    };
  };
  /** A configuration, at the version in force or an older one (scope read) */
  getConfig: {
    input: {
      configId: string;
      version?: number;
    };
    answer: Config;
  };
  /** Make the next version (scope manage) */
  editConfig: {
    input: {
      configId: string;
      dryRun?: boolean;
      body: ConfigChange;
    };
    answer: Config;
  };
  /** Activate, pause or complete it (scope manage) */
  changeConfigStatus: {
    input: {
      configId: string;
      dryRun?: boolean;
      body: {
      status: BoardStatus;
    };
    };
    answer: Config;
  };
  /** The seasons of a configuration, newest first in each window (scope read) */
  configInstances: {
    input: {
      configId: string;
      limit?: number;
    };
    answer: {
      leaderboardConfigId: string;
      instances: Array<Season>;
    };
  };
  /** The score of a set of features; nothing is stored (scope read) */
  tryConfig: {
    input: {
      configId: string;
      body: {
      features: Record<string, unknown>;
    };
    };
    answer: {
      configId: string;
      version: number;
      score: number;
    };
  };
  /** Events to be scored, one or an array of up to 1,000 (scope ingest) */
  postEvents: {
    input: {
      body: Event | CommonEventSubmission;
    };
    answer: Record<string, unknown>;
  };
  /** Register a topic for a tenant (the platform admin) */
  createTopic: {
    input: {
      body: {
      topicName: string;
      numberOfPartitions: number;
    };
    };
    answer: Topic;
  };
  /** The tenant's topics, with how much of each is spoken for (scope read) */
  listTopics: {
    input: Record<string, never>;
    answer: {
      topics: Array<Topic>;
    };
  };
  /** Register a pod of a tenant, whose topic is pod-{podId}-score-updates (the platform admin) */
  createPod: {
    input: {
      body: {
      podId: string;
      versionField?: string;
      versionHeader?: string;
    };
    };
    answer: Pod;
  };
  /** The tenant's pods (scope read) */
  listPods: {
    input: Record<string, never>;
    answer: {
      pods: Array<Pod>;
    };
  };
  /** One pod (scope read) */
  getPod: {
    input: {
      podId: string;
    };
    answer: Pod;
  };
  /** Where its events name their version (the platform admin) */
  changePod: {
    input: {
      podId: string;
      body: {
      versionField?: string | null;
      versionHeader?: string | null;
    };
    };
    answer: Pod;
  };
  /** Add a version of the pod's event schema, as a draft unless it says ACTIVE (scope manage) */
  addSchema: {
    input: {
      podId: string;
      body: {
      schemaVersion: string;
      fieldMappings: FieldMappings;
      timestampFormat: TimestampFormat;
      scoreType: "integer" | "double";
      status?: "DRAFT" | "ACTIVE";
    };
    };
    answer: PodSchema;
  };
  /** All versions of the pod's schema, oldest first (scope read) */
  listSchemas: {
    input: {
      podId: string;
    };
    answer: {
      schemas: Array<PodSchema>;
    };
  };
  /** One version of the pod's schema (scope read) */
  getSchema: {
    input: {
      podId: string;
      schemaVersion: string;
    };
    answer: PodSchema;
  };
  /** Activate, deprecate or remove a version (scope manage) */
  changeSchema: {
    input: {
      podId: string;
      schemaVersion: string;
      body: {
      status: SchemaStatus;
    };
    };
    answer: PodSchema;
  };
  /** What an event would become; nothing is stored (scope read) */
  trySchema: {
    input: {
      podId: string;
      body: {
      event: Record<string, unknown>;
      schemaVersion?: string;
      headers?: Record<string, unknown>;
    };
    };
    answer: {
      schemaVersion?: string;
      event?: CommonEvent;
      errors: Array<{
        code: ErrorCode;
        message: string;
      }>;
    };
  };
  /** Events that were refused and not sent again yet (scope manage) */
  listDeadLetters: {
    input: {
      topic?: string;
      code?: string;
      limit?: number;
      cursor?: string;
    };
    answer: {
      deadLetters: Array<DeadLetter>;
      nextCursor?: string;
    };
  };
  /** Undo submissions (scope manage) */
  revert: {
    input: {
      UUID: string;
      body: {
      line?: number;
      awardId?: string;
      userId?: string;
      last?: number;
      source?: {
        keyId?: number;
        podId?: string;
        topic?: string;
        issuer?: string;
        eventIdPrefix?: string;
        from: string;
        to: string;
      };
      reason?: string;
      dryRun?: boolean;
    };
    };
    answer: {
      UUID: string;
      dryRun: boolean;
      submissions: number;
      lines: number;
      changed: number;
      changes: Array<{
        userId: string;
        instanceId: string;
        period?: string;
        before?: RevertedRow;
        after?: RevertedRow;
      }>;
    };
  };
  /** What the board's guard looks at (scope manage) */
  getGuard: {
    input: {
      UUID: string;
    };
    answer: Guard;
  };
  /** Change what the board's guard looks at (scope manage) */
  putGuard: {
    input: {
      UUID: string;
      body: {
      rules: GuardRules;
    };
    };
    answer: Guard;
  };
  /** What rules would have caught (scope manage) */
  tryGuard: {
    input: {
      UUID: string;
      body: {
      rules: GuardRules;
      from?: string;
      to?: string;
    };
    };
    answer: {
      UUID: string;
      submissions: number;
      rules: Array<{
        rule: GuardKind;
        threshold: number;
        outcome: GuardAction;
        caught: number;
        examples: Array<{
          line: number;
          userId: string;
          score: number;
          timestamp: string;
          value: number;
        }>;
      }>;
    };
  };
  /** What the board's guard caught, the newest first (scope manage) */
  listAnomalies: {
    input: {
      UUID: string;
      state?: "OPEN" | "RECORDED" | "APPROVED" | "REJECTED" | "open" | "recorded" | "approved" | "rejected";
      before?: number;
      limit?: number;
    };
    answer: {
      UUID: string;
      anomalies: Array<Anomaly>;
    };
  };
  /** Report a submission, so that somebody looks at it (scope ingest) */
  reportAnomaly: {
    input: {
      UUID: string;
      body: {
      line?: number;
      awardId?: string;
      userId?: string;
      reason: string;
      details?: Record<string, unknown>;
    };
    };
    answer: Anomaly;
  };
  /** Let a line count that was caught (scope manage) */
  approveAnomaly: {
    input: {
      UUID: string;
      line: number;
    };
    answer: {
      UUID: string;
      line: number;
      state: "APPROVED";
    };
  };
  /** Undo a line that was caught (scope manage) */
  rejectAnomaly: {
    input: {
      UUID: string;
      line: number;
    };
    answer: {
      UUID: string;
      line: number;
      state: "REJECTED";
    };
  };
  /** Send dead letters again to the topics they came from (scope manage) */
  redriveDeadLetters: {
    input: {
      body: {
      ids?: Array<string>;
      topic?: string;
      code?: string;
    };
    };
    answer: {
      redriven: number;
    };
  };
  /** Make a tenant (the platform admin) */
  createTenant: {
    input: {
      body: {
      tenantId: string;
      name: string;
    };
    };
    answer: Tenant;
  };
  /** All tenants (the platform admin) */
  listTenants: {
    input: Record<string, never>;
    answer: {
      tenants: Array<Tenant>;
    };
  };
  /** The best k users of a season (scope read, or a public board) */
  instanceTop: {
    input: {
      instanceId: string;
      k: number;
      tenant?: string;
    };
    answer: {
      instanceId: string;
      users: Array<Row>;
      totalUsers: number;
    };
  };
  /** A user's rank in a season (scope read, or a public board) */
  instanceRank: {
    input: {
      instanceId: string;
      userId: string;
      tenant?: string;
    };
    answer: Standing;
  };
  /** The ranks of up to 1,000 users, and their ranks among each other (scope read, or a public board) */
  ranks: {
    input: {
      UUID: string;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
      body: {
      userIds: Array<string>;
    };
    };
    answer: {
      UUID: string;
      users: Array<{
        userId: string;
        displayName?: string;
        rank?: number;
        outside?: Outside;
        score: number;
        timestamp: string;
        rankAmong: number;
      }>;
      missing: Array<string>;
      totalUsers: number;
    };
  };
  /** Make a webhook (scope manage) */
  createWebhook: {
    input: {
      body: {
      url: string;
      secret?: string;
      events?: Array<SeasonEvent>;
      UUID?: string;
    };
    };
    answer: Webhook;
  };
  /** The tenant's webhooks (scope manage) */
  listWebhooks: {
    input: {
      removed?: boolean;
    };
    answer: {
      webhooks: Array<Webhook>;
    };
  };
  /** A webhook (scope manage) */
  getWebhook: {
    input: {
      webhookId: number;
    };
    answer: Webhook;
  };
  /** Change or pause a webhook (scope manage) */
  changeWebhook: {
    input: {
      webhookId: number;
      body: {
      url?: string;
      events?: Array<SeasonEvent>;
      UUID?: string | null;
      paused?: boolean;
    };
    };
    answer: Webhook;
  };
  /** Remove a webhook (scope manage) */
  deleteWebhook: {
    input: {
      webhookId: number;
    };
    answer: string;
  };
  /** Give a webhook a new secret (scope manage) */
  rotateWebhookSecret: {
    input: {
      webhookId: number;
      body: {
      secret?: string;
      overlapSeconds?: number;
    };
    };
    answer: Webhook;
  };
  /** Send a test event (scope manage) */
  testWebhook: {
    input: {
      webhookId: number;
    };
    answer: Delivery;
  };
  /** What was or is to be sent, newest first, with every attempt (scope manage) */
  listDeliveries: {
    input: {
      webhookId: number;
      state?: DeliveryState;
      limit?: number;
    };
    answer: {
      deliveries: Array<Delivery>;
    };
  };
  /** Send a delivery again, whatever became of it (scope manage) */
  resendDelivery: {
    input: {
      deliveryId: string;
    };
    answer: Delivery;
  };
  /** The seasons that were archived, by number (scope manage) */
  listArchives: {
    input: {
      after?: number;
      limit?: number;
    };
    answer: ArchivePage;
  };
  /** Archive every season whose ranks are final, whatever its age (scope manage) */
  runArchives: {
    input: Record<string, never>;
    answer: Archives;
  };
  /** A season's archive and what is being done to it (scope manage) */
  getArchive: {
    input: {
      seasonId: string;
    };
    answer: Archive;
  };
  /** Archive a season whose ranks are final now (scope manage) */
  runArchive: {
    input: {
      seasonId: string;
    };
    answer: Archive;
  };
  /** Bring the rows of a purged season back (scope manage) */
  restoreArchive: {
    input: {
      seasonId: string;
    };
    answer: Archive;
  };
  /** Read all of an archive and compare it with its checksums (scope manage) */
  verifyArchive: {
    input: {
      seasonId: string;
    };
    answer: Archive;
  };
  /** Compare ranks with the database, or build them anew first (scope manage) */
  check: {
    input: {
      body: {
      UUID?: string;
      rebuild?: boolean;
    };
    };
    answer: string;
  };
  /** Whether any line of the ledger was changed, removed or moved (the admin's key) */
  verifyLedger: {
    input: Record<string, never>;
    answer: string;
  };
  /** Seasons whose ranks this node has to repair (scope manage) */
  listRepairs: {
    input: Record<string, never>;
    answer: {
      repairs: Array<{
        UUID: string;
        instanceId: string;
        label: string;
        kind: "CATCH_UP" | "REBUILD";
        problem: string;
        since: string;
        attempts: number;
      }>;
    };
  };
  /** Create an API key (scope manage) */
  createKey: {
    input: {
      body: {
      name: string;
      scopes: Array<Scope>;
    };
    };
    answer: Key;
  };
  /** The tenant's keys, revoked ones included (scope manage) */
  listKeys: {
    input: Record<string, never>;
    answer: {
      keys: Array<Key>;
    };
  };
  /** Revoke a key, at once (scope manage) */
  revokeKey: {
    input: {
      keyId: number;
    };
    answer: string;
  };
  /** Accept the tokens of an issuer (scope manage) */
  createIssuer: {
    input: {
      body: {
      issuer: string;
      audience: string;
      jwksUrl?: string;
      jwks?: Record<string, unknown>;
      algorithms?: Array<"RS256" | "ES256">;
      userPrefix?: string;
    };
    };
    answer: Issuer;
  };
  /** Whose tokens the tenant accepts, beside the one of the settings (scope manage) */
  listIssuers: {
    input: Record<string, never>;
    answer: {
      issuers: Array<Issuer>;
    };
  };
  /** Accept its tokens no more, at once (scope manage) */
  deleteIssuer: {
    input: {
      issuerId: number;
    };
    answer: string;
  };
  /** Whether the process is alive; NODE_FAILED if a part of it has ended and only a new process helps */
  health: {
    input: Record<string, never>;
    answer: Status;
  };
  /** What time it is to this node, and whether that is in doubt (the admin's key) */
  showClock: {
    input: Record<string, never>;
    answer: Clock;
  };
  /** Say that the clock, which has jumped, is right (the admin's key) */
  confirmClock: {
    input: {
      body: {
      time: string;
    };
    };
    answer: Clock;
  };
  /** Whether this node can answer; what orchestrators probe. `degraded` is without the database or without Redis, NODE_FAILED as for health */
  ready: {
    input: Record<string, never>;
    answer: Status;
  };
  /** Process liveness */
  healthz: {
    input: Record<string, never>;
    answer: Status;
  };
  /** Storage readiness; REDIS_UNAVAILABLE if the database, or Redis where one is set, does not answer */
  readyz: {
    input: Record<string, never>;
    answer: Status;
  };
  /** Submit a score (scope ingest) */
  postGameScore: {
    input: {
      game_id: string;
      mode?: GameMode;
      body: {
      user_id: string;
      score: number;
      mode?: GameMode;
      metadata?: Record<string, unknown>;
    };
    };
    answer: {
      game_id: string;
      user_id: string;
      score?: number;
      rank?: RankAfterWrite;
      outside?: Outside;
      period?: ReachedPeriod;
      missed?: MissedPeriods;
      updated: boolean;
      held?: true;
    };
  };
  /** A slice of the board, highest first (scope read, or a public board) */
  gameLeaderboard: {
    input: {
      game_id: string;
      limit?: 10 | 100;
      offset?: number;
      cursor?: string;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: {
      game_id: string;
      entries: Array<GameRow>;
      total: number;
      limit: number;
      offset: number;
      next_cursor?: string;
    };
  };
  /** A user and the neighbours (scope read, or a public board) */
  gameContext: {
    input: {
      game_id: string;
      user_id: string;
      window?: number;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: {
      game_id: string;
      user: GameStanding;
      above: Array<GameRow>;
      below: Array<GameRow>;
    };
  };
  /** A user's lines on all boards of the tenant (scope read) */
  userScores: {
    input: {
      user_id: string;
    };
    answer: {
      user_id: string;
      unavailable?: Array<string>;
      scores: Array<UserScore>;
    };
  };
  /** Points for an action of the user whose token it is */
  award: {
    input: {
      board?: string;
      body: {
      action_type: string;
      action_id: string;
      idempotency_key?: string;
      receipt?: string;
      user_id?: unknown;
    };
    };
    answer: {
      user_id: string;
      total: number;
      delta: number;
      rank?: RankAfterWrite;
      outside?: Outside;
      held?: true;
      leaderboard_top?: Array<ScoreboardRow>;
    } | {
      user_id: string;
      total: number;
      delta: number;
      rank?: RankAfterWrite;
      outside?: Outside;
      held?: true;
    };
  };
  /** The first of a board */
  scoreboard: {
    input: {
      limit?: number;
      board?: string;
      tenant?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: {
      entries: Array<ScoreboardRow>;
      as_of: string;
    };
  };
  /** Replace the profile of the user whose token it is */
  putOwnProfile: {
    input: {
      body: {
      display_name?: DisplayName;
      anonymous?: Anonymous;
    };
    };
    answer: OwnProfile;
  };
  /** The profile of the user whose token it is */
  getOwnProfile: {
    input: Record<string, never>;
    answer: OwnProfile;
  };
  /** All data of the user whose token it is */
  exportOwn: {
    input: Record<string, never>;
    answer: UserExport;
  };
  /** Erase who the user whose token it is was */
  eraseOwn: {
    input: Record<string, never>;
    answer: {
      state: "ERASING";
    } | string;
  };
  /** Replace the profile of a user (scope ingest) */
  putProfile: {
    input: {
      userId: string;
      body: {
      displayName?: DisplayName;
      anonymous?: Anonymous;
    };
    };
    answer: Profile;
  };
  /** The profile of a user (scope read) */
  getProfile: {
    input: {
      userId: string;
    };
    answer: Profile;
  };
  /** All data of a user (scope manage) */
  exportUser: {
    input: {
      userId: string;
    };
    answer: UserExport;
  };
  /** A user of the tenant, with the profile and all scores (scope read) */
  getUser: {
    input: {
      userId: string;
    };
    answer: {
      userId: string;
      displayName?: DisplayName;
      anonymous: Anonymous;
      unavailable?: Array<string>;
      scores: Array<UserScore>;
    };
  };
  /** Erase who a user was (scope manage) */
  eraseUser: {
    input: {
      userId: string;
    };
    answer: {
      state: "ERASING";
    } | string;
  };
  /** The score and the rank of the user whose token it is */
  ownScore: {
    input: {
      board?: string;
      period?: string;
      season?: string;
      at?: string;
    };
    answer: {
      user_id: string;
      total: number;
      rank?: number;
      outside?: Outside;
    };
  };
  /** What actions are worth (scope manage) */
  putAwardRules: {
    input: {
      body: {
      version: number;
      rules: Record<string, number>;
      disabled?: Array<string>;
      boards?: Array<string>;
      limits?: Record<string, number>;
      receipts?: Array<string>;
      receiptKeyVersion?: number;
    };
    };
    answer: AwardRules;
  };
  /** The rules in force and what is switched off (scope read) */
  awardRules: {
    input: Record<string, never>;
    answer: AwardRules;
  };
  /** The key that the tenant's own server signs receipts with (scope manage) */
  awardReceiptKey: {
    input: {
      version?: number;
    };
    answer: {
      version: number;
      key: string;
    };
  };
  /** Stop or go on with all awards of the tenant, or with one action (scope manage) */
  switchAwards: {
    input: {
      body: {
      enabled: boolean;
      action?: string;
    };
    };
    answer: AwardSwitch;
  };
  /** Whether awards are given, and what stops them (scope read) */
  awardSwitch: {
    input: Record<string, never>;
    answer: AwardSwitch;
  };
  /** Whose pages may read the tenant's answers (scope manage) */
  corsOrigins: {
    input: Record<string, never>;
    answer: AllowedOrigins;
  };
  /** Allow the pages of these origins to read the tenant's answers, and no others (scope manage) */
  setCorsOrigins: {
    input: {
      body: AllowedOrigins;
    };
    answer: AllowedOrigins;
  };
  /** Prometheus metrics (scope metrics, which the platform admin gives) */
  metrics: {
    input: Record<string, never>;
    answer: string;
  };
  /** This description */
  openapi: {
    input: Record<string, never>;
    answer: string;
  };
}

interface Operation {
  method: string;
  path: string;
  query: readonly string[];
  isWrite: boolean;
}

export const OPERATIONS: Record<keyof Operations, Operation> = {
  createLeaderboard: { method: "POST", path: "/api/v1/leaderboards", query: [], isWrite: true },
  listLeaderboards: { method: "GET", path: "/api/v1/leaderboards", query: ["tenant", "podId", "status", "limit", "offset"], isWrite: false },
  getLeaderboard: { method: "GET", path: "/api/v1/leaderboards/{UUID}", query: ["version", "tenant"], isWrite: false },
  changeLeaderboard: { method: "PATCH", path: "/api/v1/leaderboards/{UUID}", query: ["dryRun"], isWrite: true },
  putWindow: { method: "PUT", path: "/api/v1/leaderboards/{UUID}/windows/{window}", query: ["dryRun"], isWrite: true },
  deleteWindow: { method: "DELETE", path: "/api/v1/leaderboards/{UUID}/windows/{window}", query: ["dryRun"], isWrite: true },
  top: { method: "GET", path: "/api/v1/leaderboards/{UUID}/top", query: ["limit", "offset", "cursor", "tenant", "period", "season", "at"], isWrite: false },
  createTicket: { method: "POST", path: "/api/v1/leaderboards/{UUID}/tickets", query: [], isWrite: false },
  putScore: { method: "PUT", path: "/api/v1/leaderboards/{UUID}/users/{userId}", query: [], isWrite: true },
  deleteUser: { method: "DELETE", path: "/api/v1/leaderboards/{UUID}/users/{userId}", query: [], isWrite: true },
  rank: { method: "GET", path: "/api/v1/leaderboards/{UUID}/users/{userId}/rank", query: ["tenant", "period", "season", "at"], isWrite: false },
  around: { method: "GET", path: "/api/v1/leaderboards/{UUID}/users/{userId}/around", query: ["window", "tenant", "period", "season", "at"], isWrite: false },
  postScores: { method: "POST", path: "/api/v1/leaderboards/{UUID}/scores", query: [], isWrite: true },
  seasons: { method: "GET", path: "/api/v1/leaderboards/{UUID}/seasons", query: ["period", "before", "limit", "tenant"], isWrite: false },
  history: { method: "GET", path: "/api/v1/leaderboards/{UUID}/users/{userId}/history", query: ["period", "before", "limit", "tenant"], isWrite: false },
  prizes: { method: "GET", path: "/api/v1/leaderboards/{UUID}/prizes", query: ["offset", "limit", "period", "season", "at"], isWrite: false },
  exportSeason: { method: "GET", path: "/api/v1/leaderboards/{UUID}/export", query: ["format", "spreadsheet", "period", "season", "at"], isWrite: false },
  createConfig: { method: "POST", path: "/leaderboards/config", query: [], isWrite: true },
  listConfigs: { method: "GET", path: "/leaderboards/config", query: ["limit", "offset"], isWrite: false },
  getConfig: { method: "GET", path: "/leaderboards/config/{configId}", query: ["version"], isWrite: false },
  editConfig: { method: "PUT", path: "/leaderboards/config/{configId}", query: ["dryRun"], isWrite: true },
  changeConfigStatus: { method: "PATCH", path: "/leaderboards/config/{configId}", query: ["dryRun"], isWrite: true },
  configInstances: { method: "GET", path: "/leaderboards/config/{configId}/instances", query: ["limit"], isWrite: false },
  tryConfig: { method: "POST", path: "/leaderboards/config/{configId}/try", query: [], isWrite: false },
  postEvents: { method: "POST", path: "/api/v1/events", query: [], isWrite: true },
  createTopic: { method: "POST", path: "/api/v1/topics", query: [], isWrite: true },
  listTopics: { method: "GET", path: "/api/v1/topics", query: [], isWrite: false },
  createPod: { method: "POST", path: "/api/v1/pods", query: [], isWrite: true },
  listPods: { method: "GET", path: "/api/v1/pods", query: [], isWrite: false },
  getPod: { method: "GET", path: "/api/v1/pods/{podId}", query: [], isWrite: false },
  changePod: { method: "PATCH", path: "/api/v1/pods/{podId}", query: [], isWrite: true },
  addSchema: { method: "POST", path: "/api/v1/pods/{podId}/schemas", query: [], isWrite: true },
  listSchemas: { method: "GET", path: "/api/v1/pods/{podId}/schemas", query: [], isWrite: false },
  getSchema: { method: "GET", path: "/api/v1/pods/{podId}/schemas/{schemaVersion}", query: [], isWrite: false },
  changeSchema: { method: "PATCH", path: "/api/v1/pods/{podId}/schemas/{schemaVersion}", query: [], isWrite: true },
  trySchema: { method: "POST", path: "/api/v1/pods/{podId}/schemas/try", query: [], isWrite: false },
  listDeadLetters: { method: "GET", path: "/api/v1/dead-letters", query: ["topic", "code", "limit", "cursor"], isWrite: false },
  revert: { method: "POST", path: "/api/v1/leaderboards/{UUID}/reverts", query: [], isWrite: true },
  getGuard: { method: "GET", path: "/api/v1/leaderboards/{UUID}/guard", query: [], isWrite: false },
  putGuard: { method: "PUT", path: "/api/v1/leaderboards/{UUID}/guard", query: [], isWrite: true },
  tryGuard: { method: "POST", path: "/api/v1/leaderboards/{UUID}/guard/try", query: [], isWrite: true },
  listAnomalies: { method: "GET", path: "/api/v1/leaderboards/{UUID}/anomalies", query: ["state", "before", "limit"], isWrite: false },
  reportAnomaly: { method: "POST", path: "/api/v1/leaderboards/{UUID}/anomalies", query: [], isWrite: true },
  approveAnomaly: { method: "POST", path: "/api/v1/leaderboards/{UUID}/anomalies/{line}/approve", query: [], isWrite: true },
  rejectAnomaly: { method: "POST", path: "/api/v1/leaderboards/{UUID}/anomalies/{line}/reject", query: [], isWrite: true },
  redriveDeadLetters: { method: "POST", path: "/api/v1/dead-letters/redrive", query: [], isWrite: true },
  createTenant: { method: "POST", path: "/api/v1/tenants", query: [], isWrite: true },
  listTenants: { method: "GET", path: "/api/v1/tenants", query: [], isWrite: false },
  instanceTop: { method: "GET", path: "/leaderboards/{instanceId}/top", query: ["k", "tenant"], isWrite: false },
  instanceRank: { method: "GET", path: "/leaderboards/{instanceId}/rank/{userId}", query: ["tenant"], isWrite: false },
  ranks: { method: "POST", path: "/api/v1/leaderboards/{UUID}/ranks", query: ["tenant", "period", "season", "at"], isWrite: false },
  createWebhook: { method: "POST", path: "/api/v1/webhooks", query: [], isWrite: true },
  listWebhooks: { method: "GET", path: "/api/v1/webhooks", query: ["removed"], isWrite: false },
  getWebhook: { method: "GET", path: "/api/v1/webhooks/{webhookId}", query: [], isWrite: false },
  changeWebhook: { method: "PATCH", path: "/api/v1/webhooks/{webhookId}", query: [], isWrite: true },
  deleteWebhook: { method: "DELETE", path: "/api/v1/webhooks/{webhookId}", query: [], isWrite: true },
  rotateWebhookSecret: { method: "POST", path: "/api/v1/webhooks/{webhookId}/secret", query: [], isWrite: true },
  testWebhook: { method: "POST", path: "/api/v1/webhooks/{webhookId}/test", query: [], isWrite: true },
  listDeliveries: { method: "GET", path: "/api/v1/webhooks/{webhookId}/deliveries", query: ["state", "limit"], isWrite: false },
  resendDelivery: { method: "POST", path: "/api/v1/webhooks/deliveries/{deliveryId}/resend", query: [], isWrite: true },
  listArchives: { method: "GET", path: "/api/v1/archives", query: ["after", "limit"], isWrite: false },
  runArchives: { method: "POST", path: "/api/v1/archives/run", query: [], isWrite: true },
  getArchive: { method: "GET", path: "/api/v1/archives/{seasonId}", query: [], isWrite: false },
  runArchive: { method: "POST", path: "/api/v1/archives/{seasonId}/run", query: [], isWrite: true },
  restoreArchive: { method: "POST", path: "/api/v1/archives/{seasonId}/restore", query: [], isWrite: true },
  verifyArchive: { method: "POST", path: "/api/v1/archives/{seasonId}/verify", query: [], isWrite: false },
  check: { method: "POST", path: "/api/v1/checks", query: [], isWrite: true },
  verifyLedger: { method: "POST", path: "/api/v1/ledger/verify", query: [], isWrite: false },
  listRepairs: { method: "GET", path: "/api/v1/repairs", query: [], isWrite: false },
  createKey: { method: "POST", path: "/api/v1/keys", query: [], isWrite: true },
  listKeys: { method: "GET", path: "/api/v1/keys", query: [], isWrite: false },
  revokeKey: { method: "DELETE", path: "/api/v1/keys/{keyId}", query: [], isWrite: true },
  createIssuer: { method: "POST", path: "/api/v1/issuers", query: [], isWrite: true },
  listIssuers: { method: "GET", path: "/api/v1/issuers", query: [], isWrite: false },
  deleteIssuer: { method: "DELETE", path: "/api/v1/issuers/{issuerId}", query: [], isWrite: true },
  health: { method: "GET", path: "/api/v1/health", query: [], isWrite: false },
  showClock: { method: "GET", path: "/api/v1/clock", query: [], isWrite: false },
  confirmClock: { method: "POST", path: "/api/v1/clock/confirm", query: [], isWrite: true },
  ready: { method: "GET", path: "/api/v1/ready", query: [], isWrite: false },
  healthz: { method: "GET", path: "/v1/healthz", query: [], isWrite: false },
  readyz: { method: "GET", path: "/v1/readyz", query: [], isWrite: false },
  postGameScore: { method: "POST", path: "/v1/games/{game_id}/scores", query: ["mode"], isWrite: true },
  gameLeaderboard: { method: "GET", path: "/v1/games/{game_id}/leaderboard", query: ["limit", "offset", "cursor", "tenant", "period", "season", "at"], isWrite: false },
  gameContext: { method: "GET", path: "/v1/games/{game_id}/users/{user_id}/context", query: ["window", "tenant", "period", "season", "at"], isWrite: false },
  userScores: { method: "GET", path: "/v1/users/{user_id}/scores", query: [], isWrite: false },
  award: { method: "POST", path: "/v1/scores/award", query: ["board"], isWrite: true },
  scoreboard: { method: "GET", path: "/v1/leaderboard", query: ["limit", "board", "tenant", "period", "season", "at"], isWrite: false },
  putOwnProfile: { method: "PUT", path: "/v1/users/me/profile", query: [], isWrite: true },
  getOwnProfile: { method: "GET", path: "/v1/users/me/profile", query: [], isWrite: false },
  exportOwn: { method: "GET", path: "/v1/users/me/export", query: [], isWrite: false },
  eraseOwn: { method: "DELETE", path: "/v1/users/me", query: [], isWrite: true },
  putProfile: { method: "PUT", path: "/api/v1/users/{userId}/profile", query: [], isWrite: true },
  getProfile: { method: "GET", path: "/api/v1/users/{userId}/profile", query: [], isWrite: false },
  exportUser: { method: "GET", path: "/api/v1/users/{userId}/export", query: [], isWrite: false },
  getUser: { method: "GET", path: "/api/v1/users/{userId}", query: [], isWrite: false },
  eraseUser: { method: "DELETE", path: "/api/v1/users/{userId}", query: [], isWrite: true },
  ownScore: { method: "GET", path: "/v1/users/me/score", query: ["board", "period", "season", "at"], isWrite: false },
  putAwardRules: { method: "PUT", path: "/api/v1/award-rules", query: [], isWrite: true },
  awardRules: { method: "GET", path: "/api/v1/award-rules", query: [], isWrite: false },
  awardReceiptKey: { method: "GET", path: "/api/v1/award-receipt-key", query: ["version"], isWrite: false },
  switchAwards: { method: "PUT", path: "/api/v1/award-switch", query: [], isWrite: true },
  awardSwitch: { method: "GET", path: "/api/v1/award-switch", query: [], isWrite: false },
  corsOrigins: { method: "GET", path: "/api/v1/cors", query: [], isWrite: false },
  setCorsOrigins: { method: "PUT", path: "/api/v1/cors", query: [], isWrite: true },
  metrics: { method: "GET", path: "/metrics", query: [], isWrite: false },
  openapi: { method: "GET", path: "/openapi.yaml", query: [], isWrite: false },
};
