package dev.laurel.sql;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.FormerBounds;
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
import dev.laurel.core.store.ArchiveWitness;
import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.ChangedBoard;
import dev.laurel.core.store.Correction;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.ErasedUser;
import dev.laurel.core.store.FinalDraft;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.LedgerCheckpoint;
import dev.laurel.core.store.LedgerHead;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.LedgerMark;
import dev.laurel.core.store.Outbox;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.RankReads;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.StoredRules;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Topic;
import dev.laurel.core.time.ClockView;
import dev.laurel.core.time.Moment;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the port reads, method by method and in its order. What is done is in the classes of the
 * tables; {@link SqlTransaction} writes to the same ones.
 */
abstract sealed class SqlReads implements ReadTransaction permits SqlTransaction {
  /** How many rows of a season are read before it is asked whether somebody still waits. */
  private static final int ROWS_BETWEEN_LOOKS = 1024;

  final Calls calls;
  final Dialect dialect;
  final Statements statements;
  final MetaTable meta;
  final VersionTables versions;
  final SeasonTable seasons;
  final BoardTables boards;
  final TopicTable topics;
  final PodTables pods;
  final OffsetTable offsets;
  final FinalTable finals;
  final ArchiveTable archives;
  final AccessTables access;
  final IssuerTable issuers;
  final OriginTable origins;
  final ClockTable clockViews;
  final WitnessTable witnesses;
  final AwardTables awards;
  final GuardTables guards;
  final UserTable users;
  final ErasedTable erased;
  final ProfileTable profiles;
  final LedgerTables ledger;
  final PruneTables pruning;
  final Entries entries;
  final EntryTable bases;
  final IdTable ids;
  final RankQueries ranks;
  final SqlOutbox outbox;

  SqlReads(
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
    Positions positions = dialect.positions(statements);
    this.seasons = new SeasonTable(statements, dialect, positions);
    this.boards = new BoardTables(statements, meta, versions, seasons);
    this.topics = new TopicTable(statements, meta);
    this.pods = new PodTables(statements, meta);
    this.offsets = new OffsetTable(statements);
    this.finals = new FinalTable(statements);
    this.archives = new ArchiveTable(statements);
    this.access = new AccessTables(statements, meta);
    this.issuers = new IssuerTable(statements, meta);
    this.origins = new OriginTable(statements, meta);
    this.clockViews = new ClockTable(statements);
    this.witnesses = new WitnessTable(statements);
    this.awards = new AwardTables(statements, meta);
    this.guards = new GuardTables(statements, meta);
    this.users = new UserTable(statements, dialect);
    this.erased = new ErasedTable(statements, meta, users);
    this.profiles = new ProfileTable(statements, meta);
    this.ledger =
        new LedgerTables(
            statements, dialect, positions, new ChainTable(statements, positions, key));
    this.pruning = new PruneTables(statements);
    this.entries = entries;
    this.bases = EntryTable.ofBases(statements);
    this.ids = new IdTable(statements);
    this.ranks = new RankQueries(calls, statements, entries);
    this.outbox =
        new SqlOutbox(calls, new WebhookTable(statements), new DeliveryTables(statements));
  }

  @Override
  public long epoch() {
    return calls.run("read the epoch", meta::epoch);
  }

  /** The next one who asks for the epoch gets what the database says by then. */
  void doubtEpoch() {
    meta.doubt();
  }

  boolean isLoose() {
    return calls.run("look for unused space", () -> dialect.isLoose(statements));
  }

  @Override
  public Moment moment() {
    return calls.run("read the clock", () -> dialect.moment(statements));
  }

  @Override
  public List<ClockView> clockViews() {
    return calls.run("read what the clock is", clockViews::all);
  }

  @Override
  public List<ArchiveWitness> archiveWitnesses() {
    return calls.run("read who sees the archive", witnesses::all);
  }

  // --- configuration

  @Override
  public long revision() {
    return calls.run("read the revision", meta::revision);
  }

  @Override
  public List<Board> boardsSince(long revision) {
    return calls.run("read boards", () -> boards.since(revision));
  }

  @Override
  public List<BoardVersion> versions(long board) {
    return calls.run("read versions", () -> versions.allOf(board));
  }

  @Override
  public List<Tenant> tenants() {
    return calls.run("read tenants", access::tenants);
  }

  @Override
  public List<Topic> topics() {
    return calls.run("read topics", topics::all);
  }

  @Override
  public List<Pod> pods() {
    return calls.run("read pods", pods::all);
  }

  @Override
  public List<PodSchema> schemas() {
    return calls.run("read schemas", pods::schemas);
  }

  @Override
  public List<ApiKey> keys() {
    return calls.run("read keys", access::keys);
  }

  @Override
  public List<Issuer> issuers() {
    return calls.run("read issuers", issuers::all);
  }

  @Override
  public List<AllowedOrigin> origins() {
    return calls.run("read origins", origins::all);
  }

  @Override
  public List<StoredRules> awardRules() {
    return calls.run("read award rules", awards::rules);
  }

  @Override
  public List<AwardSwitch> awardSwitches() {
    return calls.run("read award switches", awards::switches);
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
  public List<FormerBounds> formerBounds(long board) {
    return calls.run("read former bounds", () -> seasons.formerBounds(board));
  }

  @Override
  public boolean isLabelUsed(long board, String label) {
    return calls.run("read a season's label", () -> seasons.isLabelUsed(board, label));
  }

  @Override
  public List<PrizeTier> prizes(long season) {
    return calls.run("read prizes", () -> finals.prizes(season));
  }

  @Override
  public int finalRevision(long season) {
    return calls.run("read a season's revision", () -> finals.revision(season));
  }

  @Override
  public FinalDraft finalDraft(long season) {
    return calls.run("read a season's draft", () -> finals.draft(season));
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

  // --- webhooks

  @Override
  public Outbox outbox() {
    return outbox;
  }

  // --- users

  @Override
  public int lastUser(long tenant) {
    return calls.run("read the last user", () -> users.last(tenant));
  }

  @Override
  public long longIdBytes(long tenant, int longer) {
    return calls.run("read lengths of ids", () -> users.longIdBytes(tenant, longer));
  }

  @Override
  public void users(long tenant, int after, UserConsumer consumer) {
    calls.run("read users", () -> users.read(tenant, after, consumer));
  }

  @Override
  public String userId(long tenant, int user) {
    return calls.run("read a user", () -> users.id(tenant, user));
  }

  @Override
  public List<ErasedUser> erasedSince(long revision) {
    return calls.run("read who was erased", () -> erased.since(revision));
  }

  @Override
  public List<ErasedUser> erasedSince(long tenant, long revision) {
    return calls.run("read who was erased", () -> erased.ofTenant(tenant, revision));
  }

  @Override
  public long lastErasure(long tenant) {
    return calls.run("read the last erasure", () -> erased.last(tenant));
  }

  @Override
  public @Nullable Profile profile(long tenant, int user) {
    return calls.run("read a profile", () -> profiles.find(tenant, user));
  }

  @Override
  public List<Profile> profilesSince(long revision) {
    return calls.run("read profiles", () -> profiles.since(revision));
  }

  // --- ids

  @Override
  public Map<StoredId.Name, StoredId> ids(Collection<StoredId.Name> names) {
    return calls.run("read ids", () -> ids.find(names));
  }

  @Override
  public long forgotten() {
    return calls.run("read what is forgotten", meta::forgotten);
  }

  @Override
  public IdChunk idChunk(long board, @Nullable Digest after, IdChunk.Times times, int limit) {
    return calls.run("look through ids", () -> ids.chunk(board, after, times, limit));
  }

  @Override
  public IdChunk answerChunk(long board, @Nullable Digest after, List<String> texts, int limit) {
    return calls.run(
        "look through answers", () -> ids.answerChunk(board, after, texts, limit, dialect));
  }

  // --- guards

  @Override
  public Map<Long, List<GuardRule>> guards() {
    return calls.run("read guards", guards::rules);
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
  public boolean hasAnomalies(long before) {
    return calls.run("look for old anomalies", () -> guards.hasBefore(before));
  }

  // --- streams

  @Override
  public Map<SourcePartition, Long> offsets(Collection<SourcePartition> partitions) {
    return calls.run("read offsets", () -> offsets.find(partitions));
  }

  @Override
  public Map<Long, Rejection> refusals(SourcePartition partition) {
    return calls.run("read refusals", () -> offsets.refusals(partition));
  }

  // --- ledger

  @Override
  public List<LedgerLine> lines(int shard, long after, long upTo, int limit) {
    return calls.run("read the ledger", () -> ledger.lines(shard, after, upTo, limit));
  }

  @Override
  public List<LedgerLine> linesBack(int shard, long last, int limit) {
    return calls.run("read the ledger", () -> ledger.linesBack(shard, last, limit));
  }

  @Override
  public List<LedgerLine> linesAt(int shard, long[] numbers) {
    return calls.run("read the ledger", () -> ledger.linesAt(shard, numbers));
  }

  @Override
  public long[] numbersBack(int shard, long last, int limit) {
    return calls.run("read the ledger", () -> ledger.numbersBack(shard, last, limit));
  }

  @Override
  public List<LedgerLine> linesOf(int shard, int user, long after, long upTo, int limit) {
    return calls.run("read the ledger", () -> ledger.linesOf(shard, user, after, upTo, limit));
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
  public List<ChangedBoard> changes(long[] after, long[] upTo) {
    return calls.run("read the ledger", () -> ledger.changes(after, upTo));
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
  public long firstLine(int shard) {
    return calls.run("read the ledger", () -> ledger.firstLine(shard));
  }

  @Override
  public List<LedgerMark> marks(int shard) {
    return calls.run("read the ledger's marks", () -> pruning.marks(shard));
  }

  @Override
  public List<Correction> corrections(int shard, long after, long upTo) {
    return calls.run("read the ledger", () -> pruning.found(shard, after, upTo));
  }

  @Override
  public List<Correction> notedCorrections(int shard, long after, long upTo) {
    return calls.run("read what was corrected", () -> pruning.noted(shard, after, upTo));
  }

  // --- entries

  @Override
  public long position(long season) {
    return calls.run("read a season's position", () -> seasons.position(season));
  }

  @Override
  public Map<Long, Long> positions(Collection<Long> numbers) {
    return calls.run("read the seasons' positions", () -> seasons.positions(numbers));
  }

  @Override
  public List<@Nullable Entry> entries(long season, int[] numbers) {
    return calls.run("read entries", () -> entries.find(season, numbers));
  }

  @Override
  public Map<Long, List<@Nullable Entry>> entries(Map<Long, int[]> usersBySeason) {
    return calls.run("read entries", () -> entries.find(usersBySeason));
  }

  @Override
  public List<@Nullable Entry> bases(long season, int[] numbers) {
    return calls.run("read entries of pruned lines", () -> bases.find(season, numbers));
  }

  @Override
  public void entries(long season, EntryConsumer consumer) {
    calls.run(
        "read entries",
        () ->
            entries.read(
                season,
                new EntryConsumer() {
                  private int rows;

                  @Override
                  public void accept(int user, long score, long reached, boolean hasMetadata) {
                    if (++rows % ROWS_BETWEEN_LOOKS == 0) {
                      calls.requireAsker();
                    }
                    consumer.accept(user, score, reached, hasMetadata);
                  }
                }));
  }

  // --- ranks

  @Override
  public RankReads ranks() {
    return ranks;
  }
}
