package dev.laurel.redis;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.UserDictionary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One fact about a season that a question needs. */
sealed interface Need {
  /** Answered by {@link Standing}. All users of a call are asked for together. */
  record OfUser(int user) implements Need {}

  /** A fact that is asked for by itself: how Redis is asked, and what it answers. */
  sealed interface Other extends Need {
    /** Appends the words for the function {@code read}. */
    void ask(List<byte[]> words, Board board, UserDictionary users);

    /** Reads the answer. */
    Object answer(@Nullable Object reply, Board board, UserDictionary users);
  }

  /** Answered by {@link Rows}. */
  record Page(long offset, int limit) implements Other {
    private static final byte[] KIND = {'p'};

    @Override
    public void ask(List<byte[]> words, Board board, UserDictionary users) {
      words.add(KIND);
      words.add(SeasonKeys.bytes(offset));
      words.add(SeasonKeys.bytes(limit));
    }

    @Override
    public Object answer(@Nullable Object reply, Board board, UserDictionary users) {
      if (!(reply instanceof List<?> parts)) {
        throw new IllegalStateException("a page is a list");
      }
      return Rows.of((long) parts.get(0), (List<?>) parts.get(1), offset, board, users);
    }
  }

  /** How many entries have a strictly better score; a Long. */
  record Better(long score) implements Other {
    @Override
    public void ask(List<byte[]> words, Board board, UserDictionary users) {
      words.add(Members.COUNT);
      words.add(Members.before(board.order(), score));
    }

    @Override
    public Object answer(@Nullable Object reply, Board board, UserDictionary users) {
      return count(reply);
    }
  }

  /** How many entries stand at or before a place; a Long. */
  record UpTo(long score, long reached, int user) implements Other {
    @Override
    public void ask(List<byte[]> words, Board board, UserDictionary users) {
      Order order = board.order();
      words.add(Members.COUNT);
      words.add(Members.after(Members.member(order, score, reached, Members.id(users, user))));
    }

    @Override
    public Object answer(@Nullable Object reply, Board board, UserDictionary users) {
      return count(reply);
    }
  }

  private static Object count(@Nullable Object reply) {
    if (!(reply instanceof Long count)) {
      throw new IllegalStateException("a count is a number");
    }
    return count;
  }

  /** Where a user stands; {@link #NONE} without an entry. */
  record Standing(long rank, long position, long score, long reached, boolean hasMetadata) {
    static final Standing NONE = new Standing(0, -1, 0, 0, false);

    /**
     * @param value what the hash keeps of the user; null without an entry
     * @param better how many have a better score; told only where tied users share a rank
     */
    static Standing of(byte @Nullable [] value, long position, long better, Board board) {
      if (value == null) {
        return NONE;
      }
      return new Standing(
          1 + (board.ties() == Ties.SHARED ? better : position),
          position,
          Members.score(board.order(), value),
          Members.reached(value),
          Members.hasMetadata(value));
    }
  }

  /** Consecutive rows, with the rank of each. */
  record Rows(long[] ranks, int[] users, long[] scores, long[] reached) {
    private static Rows of(
        long better, List<?> members, long offset, Board board, UserDictionary dictionary) {
      int count = members.size();
      Rows rows = new Rows(new long[count], new int[count], new long[count], new long[count]);
      for (int i = 0; i < count; i++) {
        byte[] member = (byte[]) members.get(i);
        rows.users[i] = dictionary.find(member, Members.PREFIX, member.length - Members.PREFIX);
        if (rows.users[i] == 0) {
          throw new UnknownUserException();
        }
        rows.scores[i] = Members.score(board.order(), member);
        rows.reached[i] = Members.reached(member);
        if (board.ties() == Ties.EARLIEST_FIRST) {
          rows.ranks[i] = offset + i + 1;
        } else if (i == 0) {
          rows.ranks[i] = better + 1;
        } else {
          boolean tied = rows.scores[i] == rows.scores[i - 1];
          rows.ranks[i] = tied ? rows.ranks[i - 1] : offset + i + 1;
        }
      }
      return rows;
    }
  }

  /** A row names somebody to whom another node has just given a number. */
  final class UnknownUserException extends RuntimeException {
    private UnknownUserException() {
      super("a user that this node does not know yet", null, false, false);
    }
  }
}
