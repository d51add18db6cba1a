package dev.laurel.core.store;

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
import dev.laurel.core.time.ClockView;
import dev.laurel.core.time.Moment;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads on one consistent snapshot. Belongs to one thread; not to be kept after the work returns. A
 * consumer is called while its rows are read, and must not use the transaction itself.
 */
public interface ReadTransaction {
  /**
   * A random number that changes when the history may have: after a restore, a promoted replica.
   */
  long epoch();

  /** The store's clock, which all nodes share, and what this node makes of it. */
  Moment moment();

  /**
   * The store's clock, at the earliest: seasons change by it, and what it did cannot be undone.
   * Epoch milliseconds.
   */
  default long now() {
    return moment().earliest();
  }

  /** What nodes make of the clock. */
  List<ClockView> clockViews();

  /** What processes see of the archive, those that have ended included. */
  List<ArchiveWitness> archiveWitnesses();

  // --- configuration

  /** Grows with every change of the configuration; equal numbers mean that nothing changed. */
  long revision();

  /** The boards that changed after the revision, each once in its newest form, by revision. */
  List<Board> boardsSince(long revision);

  /** Every version there ever was of a board, oldest first. */
  List<BoardVersion> versions(long board);

  List<Tenant> tenants();

  /** What the tenant with this number is called. */
  default String tenantId(long number) {
    return tenants().stream()
        .filter(t -> t.id() == number)
        .map(Tenant::tenantId)
        .findFirst()
        .orElseThrow();
  }

  List<Topic> topics();

  /** By id. */
  List<Pod> pods();

  /** Those of all pods, removed ones included, by pod and number. */
  List<PodSchema> schemas();

  /** Revoked ones included. */
  List<ApiKey> keys();

  /** Those of all tenants, by id. */
  List<Issuer> issuers();

  /** Of all tenants, by tenant and origin. */
  List<AllowedOrigin> origins();

  /** The newest of each tenant that has some. */
  List<StoredRules> awardRules();

  /** What is switched off. */
  List<AwardSwitch> awardSwitches();

  // --- seasons, also those that boards do not list any more

  @Nullable Season season(long id);

  /** The season of a window that covers the time, whatever became of it. */
  @Nullable Season seasonAt(long board, int window, long time);

  /** Those of a window that start before a time, newest first. */
  List<Season> seasonsBefore(long board, int window, long before, int limit);

  /** What was kept of the board's seasons, by window, season and line. */
  List<FormerBounds> formerBounds(long board);

  /** Whether a season of the board has this label. */
  boolean isLabelUsed(long board, String label);

  /** The tiers that were kept when the season ended. */
  List<PrizeTier> prizes(long season);

  /** How often the season's ranks were written anew after they were final. */
  int finalRevision(long season);

  /** Which list of final ranks is to be written, or was. */
  FinalDraft finalDraft(long season);

  /** How many final ranks a season has. */
  long finalCount(long season);

  /** The final ranks of a season from a position (from 0) on, in their order. */
  List<FinalRank> finalRanks(long season, long from, int limit);

  /**
   * The seasons of all boards that have had this status since {@code since} or longer, the longest
   * first.
   *
   * @param listed whether also those that their boards still list
   */
  List<Season> seasonsIn(SeasonStatus status, long since, boolean listed, int limit);

  /** What is kept of a season's archive; null if it has none. */
  @Nullable ArchiveRecord archive(long season);

  /** Those of a tenant, by season, after this one. */
  List<ArchiveRecord> archives(long tenant, long after, int limit);

  // --- webhooks

  OutboxReads outbox();

  // --- users

  /** How many users the tenant has, which is also the last number. */
  int lastUser(long tenant);

  /** The sum of the tenant's ids that are longer than so many bytes of UTF-8. Reads them all. */
  long longIdBytes(long tenant, int longer);

  /** Calls with every user of the tenant whose number is above {@code after}, by number. */
  void users(long tenant, int after, UserConsumer consumer);

  /** Takes one user; numbers start at 1 and have no gaps. */
  @FunctionalInterface
  interface UserConsumer {
    void accept(int number, String id);
  }

  /** What the user with this number is called. */
  String userId(long tenant, int user);

  /** Who was erased after the revision, in that order. */
  List<ErasedUser> erasedSince(long revision);

  /** Those of a tenant. */
  List<ErasedUser> erasedSince(long tenant, long revision);

  /** The revision of the tenant's last erasure, 0 if there was none. */
  long lastErasure(long tenant);

  /** Null if the user has none. */
  @Nullable Profile profile(long tenant, int user);

  /** Those that changed after the revision. */
  List<Profile> profilesSince(long revision);

  // --- ids

  /** Those of the ids that were used. */
  Map<StoredId.Name, StoredId> ids(Collection<StoredId.Name> names);

  /**
   * Ids of events up to this time may be forgotten, in epoch milliseconds; Long.MIN_VALUE if none
   * was.
   */
  long forgotten();

  /** The ids of a board after this key, in the order of keys, and how many of them are old. */
  IdChunk idChunk(long board, @Nullable Digest after, IdChunk.Times times, int limit);

  /**
   * The ids of a board after this key, in the order of keys, and in how many of them an answer that
   * is kept for retries contains one of the texts.
   */
  IdChunk answerChunk(long board, @Nullable Digest after, List<String> texts, int limit);

  // --- guards

  /** The rules of each board that has some. */
  Map<Long, List<GuardRule>> guards();

  /** Null if the line was not caught. */
  @Nullable Anomaly anomaly(long board, long line);

  /**
   * What was caught on a board, the newest first.
   *
   * @param state null for all
   * @param before lines before this one
   */
  List<Anomaly> anomalies(long board, Anomaly.@Nullable State state, long before, int limit);

  /** Whether something was caught before this time. */
  boolean hasAnomalies(long before);

  // --- streams

  /** The last offset of each that was taken; those of which none was are not in it. */
  Map<SourcePartition, Long> offsets(Collection<SourcePartition> partitions);

  /** What a board refused of the partition and is not settled, by offset; without details. */
  Map<Long, Rejection> refusals(SourcePartition partition);

  // --- ledger

  /** The lines after {@code after}, up to and including {@code upTo}, in order, at most limit. */
  List<LedgerLine> lines(int shard, long after, long upTo, int limit);

  /**
   * Those of these lines that are there, in order, without their texts. For a few: {@link
   * StoredLines} reads many.
   */
  List<LedgerLine> linesAt(int shard, long[] numbers);

  /**
   * A line and those it leads to, each by {@link LedgerLine#previous}, as far as they are there; in
   * order.
   *
   * @param limit the last of them only
   */
  List<LedgerLine> linesBack(int shard, long last, int limit);

  /** The numbers of them, in order: what a user has sent may not fit into memory. */
  long[] numbersBack(int shard, long last, int limit);

  /**
   * Those of the lines in (after, upTo] that are about users with this number, of any tenant; in
   * order, at most limit.
   */
  List<LedgerLine> linesOf(int shard, int user, long after, long upTo, int limit);

  /** Who a change of the board's entries names, in (after, upTo]: what a follower must reload. */
  int[] changedUsers(int shard, long board, long after, long upTo);

  /** The last line of every shard. */
  long[] lastLines();

  /** The boards that lines in (after, upTo] are about, each with the last of these lines. */
  Map<Long, Long> changedBoards(int shard, long after, long upTo);

  /**
   * What lines are about, of all shards at once, each in (after, upTo]. A query, however many there
   * are.
   */
  List<ChangedBoard> changes(long[] after, long[] upTo);

  /** Where the shard's chain stands; null if the store was opened without a key and has none. */
  @Nullable LedgerHead head(int shard);

  /** The shard's checkpoints, by line; the first is where its chain begins. */
  List<LedgerCheckpoint> checkpoints(int shard);

  /** The first line that was not pruned; 1 if none was. */
  long firstLine(int shard);

  /** When the shard's lines were there, the first mark first. */
  List<LedgerMark> marks(int shard);

  /** What lines in (after, upTo] say about others; reads all of these lines. */
  List<Correction> corrections(int shard, long after, long upTo);

  /** What was noted to be said about lines in (after, upTo]. */
  List<Correction> notedCorrections(int shard, long after, long upTo);

  // --- entries

  /** The line that last touched the season, 0 if none did. */
  long position(long season);

  /** The same of many. */
  Map<Long, Long> positions(Collection<Long> seasons);

  /**
   * In the order asked; null where the user never had an entry. Tombstones are returned as such.
   */
  List<@Nullable Entry> entries(long season, int[] users);

  /** The same of many seasons. */
  Map<Long, List<@Nullable Entry>> entries(Map<Long, int[]> usersBySeason);

  /**
   * What lines that were pruned had made of entries, without metadata: where folding the others
   * begins. In the order asked; null where no such line reached the season.
   */
  List<@Nullable Entry> bases(long season, int[] users);

  /** Calls with every entry that has a rank, by user number. */
  void entries(long season, EntryConsumer consumer);

  /** Takes one entry without its bookkeeping. */
  @FunctionalInterface
  interface EntryConsumer {
    void accept(int user, long score, long reached, boolean hasMetadata);
  }

  // --- ranks

  RankReads ranks();
}
