package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Rankings;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one range: its last picture, and the messages that led there, for those who come
 * back. A message belongs to the id that a client has before it and gives it the next one, so a
 * client at an id that is still known gets the rest and has no gap. Belongs to one thread.
 */
final class Feed {
  private static final int RECENT_MESSAGES = 256;
  private static final int[] NOBODY = {};

  private final Range range;
  private final Encoding encoding;
  private final ArrayDeque<Sent> recent = new ArrayDeque<>();
  private int recentBytes;
  private int mostRecentBytes = RangeMemory.MOST_RECENT_BYTES;

  private @Nullable State state;

  /** Made when the first one asks for it. */
  private byte @Nullable [] snapshot;

  private record Sent(String before, byte[] message) {}

  /** Where the range is, and the id of the last message about it. */
  private record State(
      Board board,
      Season season,
      Picture picture,
      Names names,
      long namesVersion,
      long epoch,
      String id) {}

  /**
   * A look at the range.
   *
   * @param updates since the last picture; null if there was none, or it is of no use
   * @param since the line of the last picture
   */
  record Look(Picture picture, @Nullable List<Update> updates, long since) {
    /** Those who came into the range and whose score before the last picture could not tell. */
    int[] unknownBefore() {
      return updates == null
          ? NOBODY
          : updates.stream().filter(Update::isUnknownBefore).mapToInt(Update::user).toArray();
    }

    /**
     * The same with the scores that some of them had then.
     *
     * @param before by user
     */
    Look with(Map<Integer, Long> before) {
      List<Update> all = updates;
      if (all == null) {
        return this;
      }
      List<Update> known =
          all.stream()
              .map(
                  update -> {
                    Long then = update.isUnknownBefore() ? before.get(update.user()) : null;
                    return then == null ? update : update.since(then);
                  })
              .toList();
      return new Look(picture, known, since);
    }
  }

  Feed(Range range, Encoding encoding) {
    this.range = range;
    this.encoding = encoding;
  }

  boolean hasPicture() {
    return state != null;
  }

  /** Asks a state of the season; without an effect on the feed. */
  Look look(Rankings.View view, Season season) {
    Picture picture = Picture.of(view, range);
    State last = state;
    return last == null || last.season.id() != season.id()
        ? new Look(picture, null, 0)
        : new Look(
            picture, Update.between(last.picture, picture, view.ranking()), last.picture.line());
  }

  /**
   * Takes a look over.
   *
   * @param epoch of the store; lines of another one say nothing about these
   * @return what to tell those who watch; null if there is nothing new, or nobody to tell
   */
  byte @Nullable [] take(Board board, Season season, Look look, long epoch) {
    State last = state;
    // Before the names: whoever changes one now changes this number too, and is seen next time.
    long version = encoding.namesVersion(board);
    Picture picture = encoding.hides(board, look.picture) ? look.picture.ofNobody() : look.picture;
    Names names = Names.of(encoding, board, picture);
    State next =
        new State(
            board,
            season,
            picture,
            names,
            version,
            epoch,
            id(board, season, picture, names, epoch));
    if (last == null || last.epoch != epoch) {
      forget();
      move(next);
      return last == null ? null : first(null);
    }
    if (last.namesVersion != version) {
      // They may name somebody who is not to be named any more.
      forget();
    }
    List<Update> updates = updates(last, next, look);
    if (updates != null && updates.isEmpty()) {
      byte[] info =
          isToldAs(last, board, season) && last.picture.total() == picture.total()
              ? null
              : encoding.info(board, season, picture, next.id);
      if (info == null) {
        // The last message is still right, so its id stays.
        move(new State(board, season, picture, names, version, epoch, last.id));
        return null;
      }
      move(next);
      remember(new Sent(last.id, info));
      return info;
    }
    move(next);
    byte[] message =
        updates != null
            ? moved(last, next, updates)
            : last.season.id() == season.id()
                ? first(null)
                : join(List.of(encoding.season(board, last.season, season), first(null)));
    remember(new Sent(last.id, message));
    return message;
  }

  private byte[] moved(State last, State next, List<Update> updates) {
    byte[] moves =
        encoding.updates(
            next.board, next.season, next.picture, next.names.and(last.names), updates, next.id);
    byte[] info =
        isToldAs(last, next.board, next.season)
            ? null
            : encoding.info(next.board, next.season, next.picture, null);
    return info == null ? moves : join(List.of(info, moves));
  }

  private static boolean isToldAs(State last, Board board, Season season) {
    return last.board.status() == board.status()
        && last.season.status().shown() == season.status().shown()
        && last.season.start() == season.start()
        && last.season.end() == season.end()
        && last.season.label().equals(season.label());
  }

  /**
   * Whether it has looked at the board and its season as they are now: an edit may change what is
   * told, as one of the capacity does, without a line in the ledger.
   */
  boolean hasSeen(Board board, Season season) {
    State last = state;
    return last != null
        && last.season.id() == season.id()
        && last.season.capacity() == season.capacity()
        && last.board.version() == board.version()
        && isToldAs(last, board, season);
  }

  private String id(Board board, Season season, Picture picture, Names names, long epoch) {
    return Long.toUnsignedString(epoch, Character.MAX_RADIX)
        + "."
        + season.id()
        + "."
        + picture.line()
        + "."
        + board.version()
        + "-"
        + board.status()
        + "-"
        + season.status().shown()
        + "."
        + range.tag()
        + "."
        + encoding.tag()
        + names.tag();
  }

  /** What became of users who are called what they were; null if only the whole range helps. */
  private @Nullable List<Update> updates(State last, State next, Look look) {
    if (last.season.id() != next.season.id()) {
      return null;
    }
    if (next.picture.isOfNobody()) {
      return last.picture.isOfNobody() ? List.of() : null;
    }
    return last.names.fit(next.names, encoding, next.board, next.picture) ? look.updates : null;
  }

  /** Whether what it has to tell somebody who comes names users as they are called now. */
  boolean isNamedAsNow(Board board) {
    State now = state;
    return now != null && now.namesVersion == encoding.namesVersion(board);
  }

  private void forget() {
    recent.clear();
    recentBytes = 0;
  }

  private void move(State next) {
    state = next;
    snapshot = null;
  }

  private void remember(Sent sent) {
    recent.add(sent);
    recentBytes += sent.message.length;
    trim();
  }

  /** How much it may remember from now on. */
  void remember(int bytes) {
    mostRecentBytes = bytes;
    trim();
  }

  private void trim() {
    while (recent.size() > RECENT_MESSAGES || recentBytes > mostRecentBytes) {
      recentBytes -= recent.remove().message.length;
    }
  }

  /**
   * What somebody gets first who begins to watch.
   *
   * @param lastId the id of the last event they saw; null if they saw none
   */
  byte[] first(@Nullable String lastId) {
    State now = state;
    if (now == null) {
      throw new IllegalStateException("nothing was seen yet");
    }
    if (lastId != null) {
      byte[] rest = after(now, lastId);
      if (rest != null) {
        return rest;
      }
    }
    byte[] made = snapshot;
    if (made == null) {
      made = encoding.snapshot(now.board, now.season, now.picture, now.names, now.id);
      snapshot = made;
    }
    return made;
  }

  private byte @Nullable [] after(State now, String lastId) {
    byte[] resumed = encoding.resumed(now.board);
    if (lastId.equals(now.id)) {
      return resumed;
    }
    // From the newest back: a range may have been in the same state before.
    ArrayDeque<byte[]> missed = new ArrayDeque<>();
    for (Iterator<Sent> newest = recent.descendingIterator(); newest.hasNext(); ) {
      Sent sent = newest.next();
      missed.addFirst(sent.message);
      if (sent.before.equals(lastId)) {
        missed.addFirst(resumed);
        return join(missed);
      }
    }
    return null;
  }

  private static byte[] join(Iterable<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
