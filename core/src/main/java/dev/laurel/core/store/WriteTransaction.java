package dev.laurel.core.store;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Entry;
import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import dev.laurel.core.time.ClockView;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Everything that changes the store. */
public interface WriteTransaction extends ReadTransaction {
  /**
   * Locks the shard until the transaction ends and returns its last line. Everything that is read
   * after it is as the last committer left it. Lock several in ascending order.
   */
  long lockShard(int shard);

  /**
   * Locks those of the shards that nobody else has now, and returns their last lines: what others
   * commit does not hold up what they leave alone. It may be none.
   *
   * @param wait whether to queue for the first of them, for a moment, if somebody has all
   */
  Map<Integer, Long> lockShards(Collection<Integer> shards, boolean wait);

  /**
   * Lines that continue the shard's numbers (anything else is a {@link StoreException}); also moves
   * the shard to the last one, and its chain with it.
   */
  void append(int shard, List<LedgerLine> lines);

  /**
   * Removes lines, the first ones that the shard has (lock it first). Its chain begins after them.
   * Marks of them and what was noted about them go too.
   */
  void prune(int shard, List<LedgerLine> lines);

  /** Inserts or replaces {@link #bases}, before the lines are pruned. */
  void putBases(Collection<EntryWrite> bases);

  /** Notes what was found by {@link #corrections}, also again. */
  void noteCorrections(int shard, Collection<Correction> corrections);

  /** Marks the shard's last line (lock it first). */
  void putMark(LedgerMark mark);

  /** Removes what is personal about these lines; the chain stays whole. */
  void erase(List<LedgerLine> lines);

  /** Inserts or replaces. */
  void putEntries(Collection<EntryWrite> entries);

  /** One entry to store. */
  record EntryWrite(long season, int user, Entry entry) {}

  /** Moves seasons to the last line that touched them. */
  void moveSeasons(Map<Long, Long> lineBySeason);

  /** New ids; one that is there already is a {@link StoreException}. */
  void putIds(Collection<StoredId> ids);

  /** Ids that may be used again. */
  void removeIds(Collection<StoredId.Name> names);

  /**
   * Says that ids of events up to this time may be forgotten, if that is later than what was said
   * before: a change of the configuration.
   */
  void forget(long upTo);

  /** Removes those of a chunk that are old. */
  void removeOldIds(IdChunk chunk, IdChunk.Times times);

  /** Replaces the rules of a board: a change of the configuration. */
  void putGuard(long board, List<GuardRule> rules);

  void putAnomalies(Collection<Anomaly> anomalies);

  /**
   * Somebody reports a line: it is put into the queue if it is not there, and else what was
   * reported before is replaced. What was decided about it stays as it is.
   */
  void report(Anomaly reported);

  /**
   * Removes what was caught before this time, the oldest first.
   *
   * @return how many
   */
  int removeAnomalies(long before, int limit);

  /** Decides about a line if it was caught and not decided about; else nothing. */
  void review(long board, long line, Anomaly.State state, long reviewer, long at);

  void putRefusals(Collection<SourceRefusal> refusals);

  /**
   * The last offsets that were taken; one that is stored never goes back. What was refused up to
   * where everything is settled is forgotten.
   */
  void moveOffsets(Map<SourcePartition, Long> offsets);

  @Override
  Outbox outbox();

  // --- configuration. Each change gets a new revision.

  /**
   * Stores a new board with its seasons and returns it with the numbers it got: epoch, id, shard,
   * revision and the seasons' ids in the argument are not looked at.
   *
   * @throws dev.laurel.core.model.RejectedException BOARD_EXISTS if the tenant has the uuid already
   */
  Board createBoard(Board board);

  /**
   * Replaces a board and the seasons that it names by id (lock its shard first); its other seasons
   * stay. With a higher version than the stored one, that one stays readable; with the same version
   * it is replaced; a lower one is a {@link StoreException}. What never changes is not looked at:
   * tenant, leaderboardId, uuid, shard, createdBy, createdAt.
   */
  Board updateBoard(Board board);

  /**
   * Adds a season to a board (lock its shard first); its id is not looked at. A window has one that
   * starts at a time: a second one is a {@link StoreException}.
   */
  Season createSeason(Season season);

  /**
   * Replaces a season (lock its board's shard first). One that is final or more is no longer listed
   * by its board, unless it is the newest that its window has started. A new status is remembered
   * with the time, see {@link #seasonsIn}.
   */
  void updateSeason(Season season);

  /** Removes a season that no line has touched. */
  void deleteSeason(long id);

  /**
   * Keeps what a season's bounds were when lines up to one were written. Of several for the same
   * line the first stays.
   */
  void keepBounds(long board, FormerBounds bounds);

  /** Keeps the tiers that the season's prizes are given by, whatever its board says later. */
  void putPrizes(long season, List<PrizeTier> tiers);

  /** Final ranks that continue those there are (anything else is a {@link StoreException}). */
  void appendFinalRanks(long season, List<FinalRank> ranks);

  /**
   * The final ranks of a season are to be written anew, because entries changed after it was frozen
   * (lock its board's shard first): it is FROZEN until then. If they were complete, that is another
   * revision of them.
   */
  void reviseSeason(Season season);

  /**
   * A season that was frozen is going to take events again (lock its board's shard first; its
   * status is the caller's to change): the final ranks that it has are outdated.
   */
  void reopenSeason(long season);

  /**
   * Removes some final ranks that are outdated, or were begun when other users had been erased;
   * true if there are none (any more), and the list may be begun or continued.
   *
   * @param names {@link #lastErasure} of the tenant
   */
  boolean removeOutdatedRanks(long season, long names, int limit);

  /** Inserts or replaces. */
  void putArchive(ArchiveRecord archive);

  /**
   * Removes some of a season's entries, their bases and final ranks (lock its board's shard first),
   * the last ranks first, so that what is left of them has no gap. To be called again until it is
   * done.
   */
  Removal removeRows(long season, int limit);

  /**
   * What came of it.
   *
   * @param rows how many were handled; 0 and not done means that old readers are in the way, and it
   *     is to be tried later
   */
  record Removal(int rows, boolean done) {}

  /** A name that exists is TOPIC_EXISTS. */
  Topic createTopic(Topic topic);

  /** A podId that exists is POD_EXISTS. */
  Pod createPod(Pod pod);

  /** Where its events name their version: a change of the configuration. */
  void updatePod(Pod pod);

  /** Stores it with the pod's next number; a version that the pod has is SCHEMA_EXISTS. */
  PodSchema createSchema(PodSchema schema);

  /** Replaces the status of a schema that is there. */
  void updateSchema(PodSchema schema);

  /** A tenantId that exists is a {@link StoreException}. */
  Tenant createTenant(String tenantId, String name, long createdAt);

  /** Its id is not looked at; a hash that exists is a {@link StoreException}. */
  ApiKey createKey(ApiKey key);

  /**
   * A revoked key keeps its first time.
   *
   * @throws dev.laurel.core.model.RejectedException KEY_NOT_FOUND if there is no such key
   */
  void revokeKey(long id, long at);

  /** Puts a revoked key in force again. */
  void reinstateKey(long id);

  /** Its id is not looked at; a pair of issuer and audience that exists is a StoreException. */
  Issuer createIssuer(Issuer issuer);

  /** Nothing if there is none. */
  void deleteIssuer(long id);

  /** Replaces those of a tenant. */
  void setOrigins(long tenant, Collection<String> origins);

  /** A version that the tenant has already is a {@link StoreException}. */
  void putAwardRules(StoredRules rules);

  void switchAwards(AwardSwitch which, boolean off);

  /**
   * A number that is kept under a name for good, such as a part of a secret that nodes share.
   *
   * @param fresh what it becomes if there is none yet
   */
  long keep(String name, long fresh);

  /** Inserts or replaces what the node made of the clock, and forgets nodes of long ago. */
  void putClockView(ClockView view);

  void putArchiveWitness(ArchiveWitness witness);

  /** Forgets what these processes have seen of the archive. */
  void removeArchiveWitnesses(Collection<Long> nodes);

  /** Inserts or replaces. */
  void putProfile(Profile profile);

  /**
   * Gives the user another id, which nobody has: a change of the configuration. The old one is
   * free, and a digest of it is kept, see {@link #erasedSince}.
   */
  void renameUser(long tenant, int user, String id);

  /** Forgets the answers of a chunk that contain one of the texts. */
  void eraseAnswers(IdChunk chunk, List<String> texts);
}
