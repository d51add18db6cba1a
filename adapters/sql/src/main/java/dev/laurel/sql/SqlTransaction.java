package dev.laurel.sql;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.AllowedOrigin;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.RankReads;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.SourceRefusal;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.StoredRules;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Topic;
import dev.laurel.core.store.WriteTransaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The port, method by method. What is done is in the classes of the tables. */
final class SqlTransaction implements WriteTransaction {
  private final Calls calls;
  private final Dialect dialect;
  private final Statements statements;
  private final MetaTable meta;
  private final VersionTables versions;
  private final SeasonTable seasons;
  private final BoardTables boards;
  private final TopicTable topics;
  private final PodTables pods;
  private final OffsetTable offsets;
  private final FinalTable finals;
  private final ArchiveTable archives;
  private final AccessTables access;
  private final IssuerTable issuers;
  private final OriginTable origins;
  private final AwardTables awards;
  private final GuardTables guards;
  private final UserTable users;
  private final ProfileTable profiles;
  private final LedgerTables ledger;
  private final Entries entries;
  private final IdTable ids;
  private final RankQueries ranks;
  private final SqlOutbox outbox;

  SqlTransaction(
      Calls calls,
      Statements statements,
      Dialect dialect,
      Entries entries,
      @Nullable LedgerKey key) {
    this.calls = calls;
    this.dialect = dialect;
    this.statements = statements;
    this.meta = new MetaTable(statements, dialect);
    this.versions = new VersionTables(statements);
    this.seasons = new SeasonTable(statements, dialect);
    this.boards = new BoardTables(statements, meta, versions, seasons);
    this.topics = new TopicTable(statements, meta);
    this.pods = new PodTables(statements, meta);
    this.offsets = new OffsetTable(statements);
    this.finals = new FinalTable(statements);
    this.archives = new ArchiveTable(statements);
    this.access = new AccessTables(statements, meta);
    this.issuers = new IssuerTable(statements, meta);
    this.origins = new OriginTable(statements, meta);
    this.awards = new AwardTables(statements, meta);
    this.guards = new GuardTables(statements, meta);
    this.users = new UserTable(statements, dialect);
    this.profiles = new ProfileTable(statements, meta);
    this.ledger = new LedgerTables(statements, dialect, new ChainTable(statements, key));
    this.entries = entries;
    this.ids = new IdTable(statements);
    this.ranks = new RankQueries(calls, statements, entries);
    this.outbox =
        new SqlOutbox(calls, new WebhookTable(statements), new DeliveryTables(statements));
  }

  // --- beyond the port

  /** Writes the entries that were put off. */
  int moveAllEntries() {
    return calls.run("store entries", entries::moveAll);
  }

  int createIfNew(long epoch, int shards) {
    return calls.run(
        "create the store",
        () -> {
          if (meta.create(epoch, shards)) {
            ledger.createShards(shards);
            access.createTenant("default", "default", dialect.now(statements));
          }
          return meta.shards();
        });
  }

  /**
   * Begins the chain of every shard if the ledger has none.
   *
   * @param anew also if it is chained with another key
   */
  boolean chain(@Nullable LedgerKey key, boolean anew) {
    return calls.run(
        "begin the ledger's chain",
        () -> {
          boolean begins = meta.useKey(key == null ? 0 : key.fingerprint(), anew);
          if (begins) {
            ledger.beginChains(meta.shards());
          }
          return begins;
        });
  }

  int touch() {
    return calls.run("write", meta::touch);
  }

  int[] assignUsers(long tenant, int known, List<String> names) {
    return calls.run("assign users", () -> users.assign(tenant, known, names));
  }

  // --- configuration

  @Override
  public long now() {
    return calls.run("read the clock", () -> dialect.now(statements));
  }

  @Override
  public long epoch() {
    return calls.run("read the epoch", meta::epoch);
  }

  @Override
  public long revision() {
    return calls.run("read the revision", meta::revision);
  }

  @Override
  public List<Board> boardsSince(long revision) {
    return calls.run("read boards", () -> boards.since(revision));
  }

  @Override
  public Board createBoard(Board board) {
    return calls.run("create a board", () -> boards.create(board));
  }

  @Override
  public Board updateBoard(Board board) {
    return calls.run("update a board", () -> boards.update(board));
  }

  @Override
  public Season createSeason(Season season) {
    return calls.run("create a season", () -> boards.createSeason(season));
  }

  @Override
  public void updateSeason(Season season) {
    calls.run("update a season", () -> boards.updateSeason(season));
  }

  @Override
  public void reviseSeason(Season season) {
    calls.run("revise a season", () -> boards.reviseSeason(season));
  }

  @Override
  public boolean removeOutdatedRanks(long season, int limit) {
    return calls.run("remove final ranks", () -> finals.removeOutdated(season, limit));
  }

  @Override
  public int finalRevision(long season) {
    return calls.run("read a season's revision", () -> finals.revision(season));
  }

  @Override
  public void deleteSeason(long id) {
    calls.run("delete a season", () -> boards.deleteSeason(id));
  }

  @Override
  public List<BoardVersion> versions(long board) {
    return calls.run("read versions", () -> versions.allOf(board));
  }

  @Override
  public List<Topic> topics() {
    return calls.run("read topics", topics::all);
  }

  @Override
  public Topic createTopic(Topic topic) {
    return calls.run("create a topic", () -> topics.create(topic));
  }

  @Override
  public List<Pod> pods() {
    return calls.run("read pods", pods::all);
  }

  @Override
  public Pod createPod(Pod pod) {
    return calls.run("create a pod", () -> pods.create(pod));
  }

  @Override
  public List<PodSchema> schemas() {
    return calls.run("read schemas", pods::schemas);
  }

  @Override
  public PodSchema createSchema(PodSchema schema) {
    return calls.run("create a schema", () -> pods.create(schema));
  }

  @Override
  public void updateSchema(PodSchema schema) {
    calls.run("update a schema", () -> pods.update(schema));
  }

  // --- seasons

  @Override
  public @Nullable Season season(long id) {
    return calls.run("read a season", () -> seasons.find(id));
  }

  @Override
  public @Nullable Season seasonAt(long board, int window, long time) {
    return calls.run("read a season", () -> seasons.at(board, window, time));
  }

  @Override
  public List<Season> seasonsBefore(long board, int window, long before, int limit) {
    return calls.run("read seasons", () -> seasons.before(board, window, before, limit));
  }

  @Override
  public List<PrizeTier> prizes(long season) {
    return calls.run("read prizes", () -> finals.prizes(season));
  }

  @Override
  public void putPrizes(long season, List<PrizeTier> tiers) {
    calls.run("store prizes", () -> finals.putPrizes(season, tiers));
  }

  @Override
  public long finalCount(long season) {
    return calls.run("count final ranks", () -> finals.count(season));
  }

  @Override
  public List<FinalRank> finalRanks(long season, long from, int limit) {
    return calls.run("read final ranks", () -> finals.read(season, from, limit));
  }

  @Override
  public void appendFinalRanks(long season, List<FinalRank> ranks) {
    calls.run("store final ranks", () -> finals.append(season, ranks));
  }

  @Override
  public List<Season> seasonsIn(SeasonStatus status, long since, boolean listed, int limit) {
    return calls.run("read seasons", () -> seasons.in(status, since, listed, limit));
  }

  @Override
  public @Nullable ArchiveRecord archive(long season) {
    return calls.run("read an archive", () -> archives.find(season));
  }

  @Override
  public List<ArchiveRecord> archives(long tenant, long after, int limit) {
    return calls.run("read archives", () -> archives.ofTenant(tenant, after, limit));
  }

  @Override
  public void putArchive(ArchiveRecord archive) {
    calls.run("store an archive", () -> archives.put(archive));
  }

  @Override
  public Removal removeRows(long season, int limit) {
    return calls.run(
        "remove a season's rows",
        () -> {
          int ranks = finals.removeLast(season, limit);
          return ranks > 0 ? new Removal(ranks, false) : entries.remove(season, limit);
        });
  }

  @Override
  public List<Tenant> tenants() {
    return calls.run("read tenants", access::tenants);
  }

  @Override
  public Tenant createTenant(String tenantId, String name, long createdAt) {
    return calls.run("create a tenant", () -> access.createTenant(tenantId, name, createdAt));
  }

  @Override
  public List<ApiKey> keys() {
    return calls.run("read keys", access::keys);
  }

  @Override
  public ApiKey createKey(ApiKey key) {
    return calls.run("create a key", () -> access.createKey(key));
  }

  @Override
  public void revokeKey(long id, long at) {
    calls.run("revoke a key", () -> access.revokeKey(id, at));
  }

  @Override
  public List<Issuer> issuers() {
    return calls.run("read issuers", issuers::all);
  }

  @Override
  public Issuer createIssuer(Issuer issuer) {
    return calls.run("create an issuer", () -> issuers.create(issuer));
  }

  @Override
  public void deleteIssuer(long id) {
    calls.run("delete an issuer", () -> issuers.delete(id));
  }

  @Override
  public List<AllowedOrigin> origins() {
    return calls.run("read origins", origins::all);
  }

  @Override
  public void setOrigins(long tenant, Collection<String> wanted) {
    calls.run("set origins", () -> origins.replace(tenant, wanted));
  }

  @Override
  public Outbox outbox() {
    return outbox;
  }

  // --- users, ids, ledger

  @Override
  public void users(long tenant, int after, UserConsumer consumer) {
    calls.run("read users", () -> users.read(tenant, after, consumer));
  }

  @Override
  public String userId(long tenant, int user) {
    return calls.run("read a user", () -> users.id(tenant, user));
  }

  @Override
  public void renameUser(long tenant, int user, String id) {
    calls.run("rename a user", () -> users.rename(tenant, user, id));
  }

  @Override
  public List<Profile> profilesSince(long revision) {
    return calls.run("read profiles", () -> profiles.since(revision));
  }

  @Override
  public void putProfile(Profile profile) {
    calls.run("store a profile", () -> profiles.put(profile));
  }

  @Override
  public void eraseAnswers(long board, String text) {
    calls.run("erase answers", () -> ids.eraseAnswers(board, text, dialect));
  }

  @Override
  public Map<StoredId.Name, StoredId> ids(Collection<StoredId.Name> names) {
    return calls.run("read ids", () -> ids.find(names));
  }

  @Override
  public void putIds(Collection<StoredId> stored) {
    calls.run("store ids", () -> ids.put(stored));
  }

  @Override
  public void removeIds(Collection<StoredId.Name> names) {
    calls.run("remove ids", () -> ids.remove(names));
  }

  @Override
  public List<StoredRules> awardRules() {
    return calls.run("read award rules", awards::rules);
  }

  @Override
  public void putAwardRules(StoredRules rules) {
    calls.run("store award rules", () -> awards.putRules(rules));
  }

  @Override
  public Map<Long, List<GuardRule>> guards() {
    return calls.run("read guards", guards::rules);
  }

  @Override
  public void putGuard(long board, List<GuardRule> rules) {
    calls.run("store a guard", () -> guards.put(board, rules));
  }

  @Override
  public void putAnomalies(Collection<Anomaly> anomalies) {
    calls.run("store anomalies", () -> guards.put(anomalies));
  }

  @Override
  public void review(long board, long line, Anomaly.State state, long reviewer, long at) {
    calls.run("review an anomaly", () -> guards.review(board, line, state, reviewer, at));
  }

  @Override
  public @Nullable Anomaly anomaly(long board, long line) {
    List<Anomaly> found = calls.run("read an anomaly", () -> guards.one(board, line));
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public List<Anomaly> anomalies(
      long board, Anomaly.@Nullable State state, long before, int limit) {
    return calls.run("read anomalies", () -> guards.list(board, state, before, limit));
  }

  @Override
  public List<AwardSwitch> awardSwitches() {
    return calls.run("read award switches", awards::switches);
  }

  @Override
  public long keep(String name, long fresh) {
    return calls.run("keep a number", () -> meta.keep(name, fresh));
  }

  @Override
  public void switchAwards(AwardSwitch which, boolean off) {
    calls.run("switch awards", () -> awards.change(which, off));
  }

  @Override
  public Map<SourcePartition, Long> offsets(Collection<SourcePartition> partitions) {
    return calls.run("read offsets", () -> offsets.find(partitions));
  }

  @Override
  public Map<Long, Rejection> refusals(SourcePartition partition) {
    return calls.run("read refusals", () -> offsets.refusals(partition));
  }

  @Override
  public void putRefusals(Collection<SourceRefusal> refusals) {
    calls.run("keep refusals", () -> offsets.refuse(refusals));
  }

  @Override
  public void moveOffsets(Map<SourcePartition, Long> moved) {
    calls.run("move offsets", () -> offsets.move(moved));
  }

  @Override
  public long lockShard(int shard) {
    return calls.run("lock a shard", () -> ledger.lock(shard));
  }

  @Override
  public void append(int shard, List<LedgerLine> lines) {
    calls.run("append to the ledger", () -> ledger.append(shard, lines));
  }

  @Override
  public List<LedgerLine> lines(int shard, long after, long upTo, int limit) {
    return calls.run("read the ledger", () -> ledger.lines(shard, after, upTo, limit));
  }

  @Override
  public List<LedgerLine> linesBack(int shard, long last, int limit) {
    return calls.run("read the ledger", () -> ledger.linesBack(shard, last, limit));
  }

  @Override
  public List<LedgerLine> linesOf(int shard, int user, long after, long upTo) {
    return calls.run("read the ledger", () -> ledger.linesOf(shard, user, after, upTo));
  }

  @Override
  public int[] changedUsers(int shard, long board, long after, long upTo) {
    return calls.run("read the ledger", () -> ledger.changedUsers(shard, board, after, upTo));
  }

  @Override
  public long[] lastLines() {
    return calls.run("read the shards", ledger::lastLines);
  }

  @Override
  public Map<Long, Long> changedBoards(int shard, long after, long upTo) {
    return calls.run("read the ledger", () -> ledger.changedBoards(shard, after, upTo));
  }

  @Override
  public @Nullable LedgerHead head(int shard) {
    return calls.run("read the ledger", () -> ledger.head(shard));
  }

  @Override
  public List<LedgerCheckpoint> checkpoints(int shard) {
    return calls.run("read the ledger", () -> ledger.checkpoints(shard));
  }

  @Override
  public void prune(int shard, List<LedgerLine> lines) {
    calls.run("prune the ledger", () -> ledger.prune(shard, lines));
  }

  @Override
  public void erase(List<LedgerLine> lines) {
    calls.run("erase in the ledger", () -> ledger.erase(lines));
  }

  @Override
  public long firstLine(int shard) {
    return calls.run("read the ledger", () -> ledger.firstLine(shard));
  }

  // --- entries

  @Override
  public long position(long season) {
    return calls.run("read a season's position", () -> seasons.position(season));
  }

  @Override
  public void moveSeasons(Map<Long, Long> lineBySeason) {
    calls.run("move seasons", () -> seasons.move(lineBySeason));
  }

  @Override
  public List<@Nullable Entry> entries(long season, int[] numbers) {
    return calls.run("read entries", () -> entries.find(season, numbers));
  }

  @Override
  public void entries(long season, EntryConsumer consumer) {
    calls.run("read entries", () -> entries.read(season, consumer));
  }

  @Override
  public void putEntries(Collection<EntryWrite> writes) {
    calls.run("store entries", () -> entries.put(writes));
  }

  @Override
  public RankReads ranks() {
    return ranks;
  }
}
