package dev.laurel.sql;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.PodSchema;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.ArchiveRecord;
import dev.laurel.core.store.ArchiveWitness;
import dev.laurel.core.store.AwardSwitch;
import dev.laurel.core.store.Correction;
import dev.laurel.core.store.FinalRank;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.IdChunk;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.KnownUsers;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.LedgerMark;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.Profile;
import dev.laurel.core.store.SourcePartition;
import dev.laurel.core.store.SourceRefusal;
import dev.laurel.core.store.StoredId;
import dev.laurel.core.store.StoredRules;
import dev.laurel.core.store.Tenant;
import dev.laurel.core.store.Topic;
import dev.laurel.core.store.WriteTransaction;
import dev.laurel.core.time.ClockView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the port writes, method by method and in its order, and what the store itself needs beyond
 * the port.
 */
final class SqlTransaction extends SqlReads implements WriteTransaction {
  SqlTransaction(
      Calls calls,
      Statements statements,
      Dialect dialect,
      Entries entries,
      @Nullable LedgerKey key) {
    super(calls, statements, dialect, entries, key);
  }

  @Override
  public long lockShard(int shard) {
    return calls.run("lock a shard", () -> ledger.lock(shard));
  }

  @Override
  public Map<Integer, Long> lockShards(Collection<Integer> shards, boolean wait) {
    return calls.run("lock shards", () -> ledger.lock(shards, wait));
  }

  @Override
  public void append(int shard, List<LedgerLine> lines) {
    calls.run("append to the ledger", () -> ledger.append(shard, lines));
  }

  @Override
  public void prune(int shard, List<LedgerLine> lines) {
    calls.run(
        "prune the ledger",
        () -> ledger.prune(shard, lines) + pruning.pruned(shard, lines.getLast().line()));
  }

  @Override
  public void putBases(Collection<EntryWrite> writes) {
    calls.run("store entries of pruned lines", () -> bases.put(writes));
  }

  @Override
  public void noteCorrections(int shard, Collection<Correction> corrections) {
    calls.run("note what was corrected", () -> pruning.note(shard, corrections));
  }

  @Override
  public void putMark(LedgerMark mark) {
    calls.run("mark the ledger", () -> pruning.put(mark));
  }

  @Override
  public void erase(List<LedgerLine> lines) {
    calls.run("erase in the ledger", () -> ledger.erase(lines));
    calls.run("erase reports", () -> guards.eraseReports(lines));
  }

  @Override
  public void putEntries(Collection<EntryWrite> writes) {
    calls.run("store entries", () -> entries.put(writes));
  }

  @Override
  public void moveSeasons(Map<Long, Long> lineBySeason) {
    calls.run("move seasons", () -> seasons.move(lineBySeason));
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
  public void forget(long upTo) {
    calls.run("say what is forgotten", () -> meta.forget(upTo));
  }

  @Override
  public void removeOldIds(IdChunk chunk, IdChunk.Times times) {
    calls.run("remove old ids", () -> ids.removeOld(chunk, times));
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
  public void report(Anomaly reported) {
    calls.run("store a report", () -> guards.report(reported));
  }

  @Override
  public int removeAnomalies(long before, int limit) {
    return calls.run("remove old anomalies", () -> guards.removeBefore(before, limit));
  }

  @Override
  public void review(long board, long line, Anomaly.State state, long reviewer, long at) {
    calls.run("review an anomaly", () -> guards.review(board, line, state, reviewer, at));
  }

  @Override
  public void putRefusals(Collection<SourceRefusal> refusals) {
    calls.run("keep refusals", () -> offsets.refuse(refusals));
  }

  @Override
  public void moveOffsets(Map<SourcePartition, Long> moved) {
    calls.run("move offsets", () -> offsets.move(moved));
  }

  /** Whether more is to be done. */
  boolean tighten() {
    return calls.run(
        "give space back",
        () -> {
          // Begins the transaction: the driver would commit the other one by itself.
          meta.touch();
          dialect.tighten(statements);
          return dialect.isLoose(statements);
        });
  }

  // --- configuration

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
  public void deleteSeason(long id) {
    calls.run("delete a season", () -> boards.deleteSeason(id));
  }

  @Override
  public void keepBounds(long board, FormerBounds bounds) {
    calls.run("keep former bounds", () -> seasons.keepBounds(board, bounds));
  }

  @Override
  public void putPrizes(long season, List<PrizeTier> tiers) {
    calls.run("store prizes", () -> finals.putPrizes(season, tiers));
  }

  @Override
  public void appendFinalRanks(long season, List<FinalRank> ranks) {
    calls.run("store final ranks", () -> finals.append(season, ranks));
  }

  @Override
  public void reopenSeason(long season) {
    calls.run("reopen a season", () -> seasons.reopen(season));
  }

  @Override
  public void reviseSeason(Season season) {
    calls.run("revise a season", () -> boards.reviseSeason(season));
  }

  @Override
  public boolean removeOutdatedRanks(long season, long names, int limit) {
    return calls.run("remove final ranks", () -> finals.removeOutdated(season, names, limit));
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
          if (ranks > 0) {
            return new Removal(ranks, false);
          }
          int kept = bases.remove(season, limit).rows();
          return kept > 0 ? new Removal(kept, false) : entries.remove(season, limit);
        });
  }

  @Override
  public Topic createTopic(Topic topic) {
    return calls.run("create a topic", () -> topics.create(topic));
  }

  @Override
  public void updatePod(Pod pod) {
    calls.run("change a pod", () -> pods.update(pod));
  }

  @Override
  public Pod createPod(Pod pod) {
    return calls.run("create a pod", () -> pods.create(pod));
  }

  @Override
  public PodSchema createSchema(PodSchema schema) {
    return calls.run("create a schema", () -> pods.create(schema));
  }

  @Override
  public void updateSchema(PodSchema schema) {
    calls.run("update a schema", () -> pods.update(schema));
  }

  @Override
  public Tenant createTenant(String tenantId, String name, long createdAt) {
    return calls.run("create a tenant", () -> access.createTenant(tenantId, name, createdAt));
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
  public void reinstateKey(long id) {
    calls.run("reinstate a key", () -> access.reinstateKey(id));
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
  public void setOrigins(long tenant, Collection<String> wanted) {
    calls.run("set origins", () -> origins.replace(tenant, wanted));
  }

  @Override
  public void putClockView(ClockView view) {
    calls.run("write what the clock is", () -> clockViews.put(view));
  }

  @Override
  public void putArchiveWitness(ArchiveWitness witness) {
    calls.run("write who sees the archive", () -> witnesses.put(witness));
  }

  @Override
  public void removeArchiveWitnesses(Collection<Long> nodes) {
    calls.run("forget who saw the archive", () -> witnesses.remove(nodes));
  }

  @Override
  public void putAwardRules(StoredRules rules) {
    calls.run("store award rules", () -> awards.putRules(rules));
  }

  @Override
  public void switchAwards(AwardSwitch which, boolean off) {
    calls.run("switch awards", () -> awards.change(which, off));
  }

  @Override
  public long keep(String name, long fresh) {
    return calls.run("keep a number", () -> meta.keep(name, fresh));
  }

  @Override
  public void putProfile(Profile profile) {
    calls.run("store a profile", () -> profiles.put(profile));
  }

  @Override
  public void renameUser(long tenant, int user, String id) {
    calls.run("rename a user", () -> erased.rename(tenant, user, id));
  }

  @Override
  public void eraseAnswers(IdChunk chunk, List<String> texts) {
    calls.run("erase answers", () -> ids.eraseAnswers(chunk, texts, dialect));
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
            access.createTenant("default", "default", dialect.moment(statements).earliest());
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

  int[] assignUsers(long tenant, KnownUsers known, List<String> names) {
    if (known.last() > 0) {
      NewEpochException.unless(this, known.epoch());
    }
    return calls.run("assign users", () -> users.assign(tenant, known.last(), names));
  }
}
