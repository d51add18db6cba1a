package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.BoardStatus;
import dev.laurel.core.model.BoardVersion;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Feed;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Visibility;
import dev.laurel.core.model.Window;
import dev.laurel.core.store.DryRun;
import dev.laurel.core.store.NewEpochException;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.WriteTransaction;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes, changes and finds boards. Blocking, except for what it finds. Thread-safe. */
public final class Boards {
  private final Store store;
  private final BoardDirectory directory;
  private final SeasonSteps steps;
  private final SeasonEdits edits;
  private final InstantSource clock;
  private final BoardLimits limits;

  /** Without limits. */
  public Boards(Store store, BoardDirectory directory, SeasonSteps steps, InstantSource clock) {
    this(store, directory, steps, clock, BoardLimits.NONE);
  }

  public Boards(
      Store store,
      BoardDirectory directory,
      SeasonSteps steps,
      InstantSource clock,
      BoardLimits limits) {
    this.store = store;
    this.directory = directory;
    this.steps = steps;
    this.edits = new SeasonEdits(steps);
    this.clock = clock;
    this.limits = limits;
  }

  /**
   * @param answer writes the answer for the board, to be kept with the idempotency key
   */
  public OnceOnly.Answer create(
      long tenant,
      String createdBy,
      BoardDefinition definition,
      OnceOnly.@Nullable Key key,
      Function<Board, byte[]> answer) {
    return create(tenant, createdBy, definition, null, key, answer);
  }

  /**
   * @param topics where the definition's feed must be there and have room; null for a board without
   */
  public OnceOnly.Answer create(
      long tenant,
      String createdBy,
      BoardDefinition definition,
      @Nullable Topics topics,
      OnceOnly.@Nullable Key key,
      Function<Board, byte[]> answer) {
    Board board = definition.toBoard(tenant, createdBy, clock.millis());
    steps.calendars().check(board);
    return write(
        key,
        tx -> {
          // One at a time, so that two do not share what is left.
          tx.lockShard(0);
          // A board is made by a first score too: whoever may send scores could make any number.
          directory.follow(tx);
          limits.require(directory.ofTenant(tenant), null, board.current());
          Feed feed = definition.feed();
          if (feed != null && topics != null) {
            topics.reserve(tx, tenant, 0, feed);
          }
          // Its shard needs no lock: nobody else sees the board yet. (Who takes a shard's lock
          // after
          // the configuration's waits for somebody who takes them in the usual order.)
          Board created = tx.createBoard(board);
          return answer.apply(steps.take(tx, created, tx.now()));
        });
  }

  public OnceOnly.Answer change(
      Board known,
      BoardChange change,
      OnceOnly.@Nullable Key key,
      Function<Edited, byte[]> answer) {
    return change(known, Edit.of(change), null, key, answer);
  }

  /**
   * @param topics where the feed of the change must be there and have room; null for a board
   *     without
   * @param key of no use for a dry run, which leaves nothing
   */
  public OnceOnly.Answer change(
      Board known,
      Edit edit,
      @Nullable Topics topics,
      OnceOnly.@Nullable Key key,
      Function<Edited, byte[]> answer) {
    if (edit.dryRun()) {
      return new OnceOnly.Answer(
          DryRun.of(store, tx -> answer.apply(edited(tx, known, edit, topics))), false);
    }
    return write(key, tx -> answer.apply(edited(tx, known, edit, topics)));
  }

  private Edited edited(WriteTransaction tx, Board known, Edit edit, @Nullable Topics topics) {
    NewEpochException.unless(tx, known.epoch());
    if (topics != null) {
      // One at a time, so that two do not share what is left; before the board's own lock.
      tx.lockShard(0);
    }
    // Through the shard's lock, so that no commit under way works with the old version.
    tx.lockShard(known.shard());
    Board found = directory.follow(tx).find(known.id());
    if (found == null) {
      throw notFound(known.uuid());
    }
    // What is due happens first, by the rules in force: a season that is over by now has ended with
    // its own prizes, also if the season clock comes late, as after a downtime.
    Board current = steps.take(tx, found, tx.now());
    BoardChange change = edit.on(current);
    Feed feed = change.feed();
    if (feed != null && topics != null) {
      topics.reserve(tx, known.tenant(), known.id(), feed);
    }
    List<Window> everyWindow =
        tx.versions(current.id()).stream().flatMap(v -> v.windows().stream()).toList();
    BoardVersion next = change.applyTo(current, everyWindow, clock.millis());
    if (next.saysTheSameAs(current.current())) {
      return new Edited(current, List.of());
    }
    limits.require(directory.ofTenant(known.tenant()), current.current(), next);
    return edits.apply(tx, current, next, tx.now());
  }

  private OnceOnly.Answer write(
      OnceOnly.@Nullable Key key, Store.Work<WriteTransaction, byte[]> work) {
    OnceOnly.Answer answer = OnceOnly.run(store, key, clock.millis(), work);
    try {
      store.read(this::followed);
    } catch (StoreException e) {
      // It is committed, and the season clock follows within a second.
    }
    return answer;
  }

  /** Refuses what {@link #create} would refuse before it looks at the store. */
  public void check(BoardDefinition definition) {
    steps.calendars().check(definition.toBoard(0, "", 0));
  }

  /** Every version of a board, oldest first. */
  public List<BoardVersion> versions(Board board) {
    return store.read(tx -> tx.versions(board.id()));
  }

  /** The game's board, made if this is its first score. */
  public Board game(long tenant, String gameId, String createdBy) {
    return findOrCreate(tenant, BoardDefinition.game(gameId), createdBy);
  }

  /** The board of a tenant's awards, made if it is not there. */
  public Board global(long tenant, String createdBy) {
    return findOrCreate(tenant, BoardDefinition.GLOBAL, createdBy);
  }

  private Board findOrCreate(long tenant, BoardDefinition definition, String createdBy) {
    Board found = directory.find(tenant, definition.uuid());
    if (found != null) {
      return found;
    }
    try {
      create(tenant, createdBy, definition, null, board -> new byte[0]);
    } catch (RejectedException e) {
      if (e.rejection().code() != ErrorCode.BOARD_EXISTS) {
        throw e;
      }
      // Somebody else was faster.
      follow();
    }
    return require(tenant, definition.uuid());
  }

  /** Takes over what others changed. */
  public void follow() {
    store.read(Store.Reading.JOB, this::followed);
  }

  private boolean followed(ReadTransaction tx) {
    directory.follow(tx);
    return true;
  }

  public @Nullable Board find(long tenant, String uuid) {
    return directory.find(tenant, uuid);
  }

  /** By its number; of any tenant. */
  public @Nullable Board find(long id) {
    return directory.find(id);
  }

  /** By the internal id of the documents; null also for a board of another tenant. */
  public @Nullable Board findInternal(long tenant, String leaderboardId) {
    Board board = directory.findInternal(leaderboardId);
    return board == null || board.tenant() != tenant ? null : board;
  }

  public Board require(long tenant, String uuid) {
    Board board = directory.find(tenant, uuid);
    if (board == null) {
      throw notFound(uuid);
    }
    return board;
  }

  public static RejectedException notFound(String uuid) {
    return Rejection.expectation(ErrorCode.BOARD_NOT_FOUND, "UUID", uuid, "a board of this tenant")
        .asException();
  }

  /** The tenant's boards, oldest first. */
  public List<Board> all(long tenant) {
    return directory.ofTenant(tenant).stream().sorted(Comparator.comparingLong(Board::id)).toList();
  }

  /** A page of the tenant's boards, oldest first, and how many there are in all. */
  public Listing list(
      long tenant,
      @Nullable String podId,
      @Nullable BoardStatus status,
      @Nullable Visibility visibility,
      int limit,
      int offset) {
    List<Board> matching =
        all(tenant).stream()
            .filter(b -> podId == null || podId.equals(b.podId()))
            .filter(b -> status == null || status == b.status())
            .filter(b -> visibility == null || visibility == b.visibility())
            .toList();
    return new Listing(matching.stream().skip(offset).limit(limit).toList(), matching.size());
  }

  /** A page of boards. */
  public record Listing(List<Board> boards, int total) {}
}
