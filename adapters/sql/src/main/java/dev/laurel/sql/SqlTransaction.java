package dev.laurel.sql;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.store.AllowedOrigin;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.SourceRefusal;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.StoredRules;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Topic;
import dev.laurel.core.store.WriteTransaction;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The port, method by method: says what was being done when it fails, and remembers that it failed.
 * What is done is in the classes of the tables.
 */
final class SqlTransaction implements WriteTransaction {
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
  private final UserTable users;
  private final LedgerTables ledger;
  private final Entries entries;
  private final IdTable ids;
  private final RankQueries ranks;
  private final SqlOutbox outbox;
  private @Nullable StoreException failed;

  SqlTransaction(Statements statements, Dialect dialect, Entries entries) {
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
    this.users = new UserTable(statements, dialect);
    this.ledger = new LedgerTables(statements, dialect);
    this.entries = entries;
    this.ids = new IdTable(statements);
    this.ranks = new RankQueries(statements, entries);
    this.outbox = new SqlOutbox(this, new WebhookTable(statements), new DeliveryTables(statements));
  }

  /** A statement. */
  @FunctionalInterface
  interface Call<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  <T extends @Nullable Object> T call(String doing, Call<T> call) {
    // After some failures SQLite has rolled back already, and would commit each statement that
    // follows by itself.
    throwIfFailed();
    try {
      return call.run();
    } catch (SQLException e) {
      StoreException failure = dialect.failure(doing, e);
      failed = failure;
      throw failure;
    } catch (StoreException e) {
      failed = e;
      throw e;
    }
  }

  /** So that a work that caught the failure of a part neither goes on nor commits the rest. */
  void throwIfFailed() {
    if (failed != null) {
      throw failed;
    }
  }

  void reset() {
    failed = null;
  }

  // --- beyond the port

  void beforeCommit() {
    call(
        "commit",
        () -> {
          entries.beforeCommit();
          return true;
        });
  }

  /** Writes the entries that were put off. */
  int moveAllEntries() {
    return call("store entries", entries::moveAll);
  }

  int createIfNew(long epoch, int shards) {
    return call(
        "create the store",
        () -> {
          if (meta.create(epoch, shards)) {
            ledger.createShards(shards);
            access.createTenant("default", "default", dialect.now(statements));
          }
          return meta.shards();
        });
  }

  int touch() {
    return call("write", meta::touch);
  }

  int[] assignUsers(long tenant, int known, List<String> names) {
    return call("assign users", () -> users.assign(tenant, known, names));
  }

  // --- configuration

  @Override
  public long now() {
    return call("read the clock", () -> dialect.now(statements));
  }

  @Override
  public long epoch() {
    return call("read the epoch", meta::epoch);
  }

  @Override
  public long revision() {
    return call("read the revision", meta::revision);
  }

  @Override
  public List<Board> boardsSince(long revision) {
    return call("read boards", () -> boards.since(revision));
  }

  @Override
  public Board createBoard(Board board) {
    return call("create a board", () -> boards.create(board));
  }

  @Override
  public Board updateBoard(Board board) {
    return call("update a board", () -> boards.update(board));
  }

  @Override
  public Season createSeason(Season season) {
    return call("create a season", () -> boards.createSeason(season));
  }

  @Override
  public void updateSeason(Season season) {
    call("update a season", () -> boards.updateSeason(season));
  }

  @Override
  public void deleteSeason(long id) {
    call("delete a season", () -> boards.deleteSeason(id));
  }

  @Override
  public List<BoardVersion> versions(long board) {
    return call("read versions", () -> versions.allOf(board));
  }

  @Override
  public List<Topic> topics() {
    return call("read topics", topics::all);
  }

  @Override
  public Topic createTopic(Topic topic) {
    return call("create a topic", () -> topics.create(topic));
  }

  @Override
  public List<Pod> pods() {
    return call("read pods", pods::all);
  }

  @Override
  public Pod createPod(Pod pod) {
    return call("create a pod", () -> pods.create(pod));
  }

  @Override
  public List<PodSchema> schemas() {
    return call("read schemas", pods::schemas);
  }

  @Override
  public PodSchema createSchema(PodSchema schema) {
    return call("create a schema", () -> pods.create(schema));
  }

  @Override
  public void updateSchema(PodSchema schema) {
    call("update a schema", () -> pods.update(schema));
  }

  // --- seasons

  @Override
  public @Nullable Season season(long id) {
    return call("read a season", () -> seasons.find(id));
  }

  @Override
  public @Nullable Season seasonAt(long board, int window, long time) {
    return call("read a season", () -> seasons.at(board, window, time));
  }

  @Override
  public List<Season> seasonsBefore(long board, int window, long before, int limit) {
    return call("read seasons", () -> seasons.before(board, window, before, limit));
  }

  @Override
  public List<PrizeTier> prizes(long season) {
    return call("read prizes", () -> finals.prizes(season));
  }

  @Override
  public void putPrizes(long season, List<PrizeTier> tiers) {
    call("store prizes", () -> finals.putPrizes(season, tiers));
  }

  @Override
  public long finalCount(long season) {
    return call("count final ranks", () -> finals.count(season));
  }

  @Override
  public List<FinalRank> finalRanks(long season, long from, int limit) {
    return call("read final ranks", () -> finals.read(season, from, limit));
  }

  @Override
  public void appendFinalRanks(long season, List<FinalRank> ranks) {
    call("store final ranks", () -> finals.append(season, ranks));
  }

  @Override
  public List<Season> seasonsIn(SeasonStatus status, long since, boolean listed, int limit) {
    return call("read seasons", () -> seasons.in(status, since, listed, limit));
  }

  @Override
  public @Nullable ArchiveRecord archive(long season) {
    return call("read an archive", () -> archives.find(season));
  }

  @Override
  public List<ArchiveRecord> archives(long tenant, long after, int limit) {
    return call("read archives", () -> archives.ofTenant(tenant, after, limit));
  }

  @Override
  public void putArchive(ArchiveRecord archive) {
    call("store an archive", () -> archives.put(archive));
  }

  @Override
  public Removal removeRows(long season, int limit) {
    return call(
        "remove a season's rows",
        () -> {
          int ranks = finals.removeLast(season, limit);
          return ranks > 0 ? new Removal(ranks, false) : entries.remove(season, limit);
        });
  }

  @Override
  public List<Tenant> tenants() {
    return call("read tenants", access::tenants);
  }

  @Override
  public Tenant createTenant(String tenantId, String name, long createdAt) {
    return call("create a tenant", () -> access.createTenant(tenantId, name, createdAt));
  }

  @Override
  public List<ApiKey> keys() {
    return call("read keys", access::keys);
  }

  @Override
  public ApiKey createKey(ApiKey key) {
    return call("create a key", () -> access.createKey(key));
  }

  @Override
  public void revokeKey(long id, long at) {
    call("revoke a key", () -> access.revokeKey(id, at));
  }

  @Override
  public List<Issuer> issuers() {
    return call("read issuers", issuers::all);
  }

  @Override
  public Issuer createIssuer(Issuer issuer) {
    return call("create an issuer", () -> issuers.create(issuer));
  }

  @Override
  public void deleteIssuer(long id) {
    call("delete an issuer", () -> issuers.delete(id));
  }

  @Override
  public List<AllowedOrigin> origins() {
    return call("read origins", origins::all);
  }

  @Override
  public void setOrigins(long tenant, Collection<String> wanted) {
    call("set origins", () -> origins.replace(tenant, wanted));
  }

  @Override
  public Outbox outbox() {
    return outbox;
  }

  // --- users, ids, ledger

  @Override
  public void users(long tenant, int after, UserConsumer consumer) {
    call("read users", () -> users.read(tenant, after, consumer));
  }

  @Override
  public Map<StoredId.Name, StoredId> ids(Collection<StoredId.Name> names) {
    return call("read ids", () -> ids.find(names));
  }

  @Override
  public void putIds(Collection<StoredId> stored) {
    call("store ids", () -> ids.put(stored));
  }

  @Override
  public void removeIds(Collection<StoredId.Name> names) {
    call("remove ids", () -> ids.remove(names));
  }

  @Override
  public List<StoredRules> awardRules() {
    return call("read award rules", awards::rules);
  }

  @Override
  public void putAwardRules(StoredRules rules) {
    call("store award rules", () -> awards.putRules(rules));
  }

  @Override
  public List<AwardSwitch> awardSwitches() {
    return call("read award switches", awards::switches);
  }

  @Override
  public long keep(String name, long fresh) {
    return call("keep a number", () -> meta.keep(name, fresh));
  }

  @Override
  public void switchAwards(AwardSwitch which, boolean off) {
    call("switch awards", () -> awards.change(which, off));
  }

  @Override
  public Map<SourcePartition, Long> offsets(Collection<SourcePartition> partitions) {
    return call("read offsets", () -> offsets.find(partitions));
  }

  @Override
  public Map<Long, Rejection> refusals(SourcePartition partition) {
    return call("read refusals", () -> offsets.refusals(partition));
  }

  @Override
  public void putRefusals(Collection<SourceRefusal> refusals) {
    call("keep refusals", () -> offsets.refuse(refusals));
  }

  @Override
  public void moveOffsets(Map<SourcePartition, Long> moved) {
    call("move offsets", () -> offsets.move(moved));
  }

  @Override
  public long lockShard(int shard) {
    return call("lock a shard", () -> ledger.lock(shard));
  }

  @Override
  public void append(int shard, List<LedgerLine> lines) {
    call("append to the ledger", () -> ledger.append(shard, lines));
  }

  @Override
  public List<LedgerLine> lines(int shard, long after, long upTo, int limit) {
    return call("read the ledger", () -> ledger.lines(shard, after, upTo, limit));
  }

  @Override
  public int[] changedUsers(int shard, long board, long after, long upTo) {
    return call("read the ledger", () -> ledger.changedUsers(shard, board, after, upTo));
  }

  @Override
  public long[] lastLines() {
    return call("read the shards", ledger::lastLines);
  }

  @Override
  public Map<Long, Long> changedBoards(int shard, long after, long upTo) {
    return call("read the ledger", () -> ledger.changedBoards(shard, after, upTo));
  }

  @Override
  public LedgerCheckpoint checkpoint(int shard) {
    return call("read the ledger", () -> ledger.checkpoint(shard));
  }

  @Override
  public void prune(LedgerCheckpoint checkpoint) {
    call("prune the ledger", () -> ledger.prune(checkpoint));
  }

  @Override
  public long firstLine(int shard) {
    return call("read the ledger", () -> ledger.firstLine(shard));
  }

  // --- entries

  @Override
  public long position(long season) {
    return call("read a season's position", () -> seasons.position(season));
  }

  @Override
  public void moveSeasons(Map<Long, Long> lineBySeason) {
    call("move seasons", () -> seasons.move(lineBySeason));
  }

  @Override
  public List<@Nullable Entry> entries(long season, int[] numbers) {
    return call("read entries", () -> entries.find(season, numbers));
  }

  @Override
  public void entries(long season, EntryConsumer consumer) {
    call("read entries", () -> entries.read(season, consumer));
  }

  @Override
  public void putEntries(Collection<EntryWrite> writes) {
    call("store entries", () -> entries.put(writes));
  }

  // --- ranks

  @Override
  public long count(long season) {
    return call("count entries", () -> ranks.count(season));
  }

  @Override
  public long countBetter(long season, Order order, long score) {
    return call("count entries", () -> ranks.countBetter(season, order, score));
  }

  @Override
  public long countBetterScores(long season, Order order, long score) {
    return call("count scores", () -> ranks.countBetterScores(season, order, score));
  }

  @Override
  public long countBefore(long season, Order order, Place place) {
    return call("count entries", () -> ranks.countBefore(season, order, place));
  }

  @Override
  public List<Placed> page(long season, Order order, long offset, int limit) {
    return call("read a page", () -> ranks.page(season, order, offset, limit));
  }

  @Override
  public List<Placed> after(long season, Order order, Place place, int limit) {
    return call("read a page", () -> ranks.after(season, order, place, limit));
  }

  @Override
  public List<Placed> before(long season, Order order, Place place, int limit) {
    return call("read a page", () -> ranks.before(season, order, place, limit));
  }
}
