package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Rankings;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one range: its last picture, and the messages that led there, for those who come
 * back. A message belongs to the id that a client has before it and gives it the next one, so a
 * client at an id that is still known gets the rest and has no gap. Belongs to one thread.
 */
final class Feed {
  private static final int RECENT_MESSAGES = 256;
  private static final int RECENT_BYTES = 256 * 1024;

  private final Range range;
  private final Encoding encoding;
  private final ArrayDeque<Sent> recent = new ArrayDeque<>();
  private int recentBytes;

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
   */
  record Look(Picture picture, @Nullable List<Update> updates) {}

  Feed(Range range, Encoding encoding) {
    this.range = range;
    this.encoding = encoding;
  }

  boolean hasPicture() {
    return state != null;
  }

  @Nullable Season season() {
    State last = state;
    return last == null ? null : last.season;
  }

  /** Asks a state of the season; without an effect on the feed. */
  Look look(Rankings.View view, Season season) {
    Picture picture = Picture.of(view, range);
    State last = state;
    return new Look(
        picture,
        last == null || last.season.id() != season.id()
            ? null
            : Update.between(last.picture, picture, view.ranking()));
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
      // The last message is still right, so its id stays.
      move(new State(board, season, picture, names, version, epoch, last.id));
      return null;
    }
    move(next);
    byte[] message =
        updates != null
            ? encoding.updates(board, season, picture, names.and(last.names), updates, next.id)
            : last.season.id() == season.id()
                ? first(null)
                : join(List.of(encoding.season(board, last.season, season), first(null)));
    remember(new Sent(last.id, message));
    return message;
  }

  private String id(Board board, Season season, Picture picture, Names names, long epoch) {
    return Long.toUnsignedString(epoch, Character.MAX_RADIX)
        + "."
        + season.id()
        + "."
        + picture.line()
        + "."
        + board.version()
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
    while (recent.size() > RECENT_MESSAGES || recentBytes > RECENT_BYTES) {
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
