package dev.laurel.redis;

import dev.laurel.core.model.Order;
import dev.laurel.core.rank.RankIndex;
import dev.laurel.core.rank.UserDictionary;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * How a place in the one order is written so that its bytes, compared unsigned, sort as it does:
 * the order key and the time, each big-endian with its sign bit flipped, then the user id.
 */
final class Members {
  static final int PREFIX = 16;
  static final byte[] NONE = {};

  /** How a bound is introduced that members are counted up to. */
  static final byte[] COUNT = {'c'};

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Members() {}

  /** What the hash keeps of a user: the place without the id, and whether there is metadata. */
  static byte[] value(Order order, long score, long reached, boolean hasMetadata) {
    byte[] value = new byte[PREFIX + 1];
    put(value, order.key(score), reached);
    value[PREFIX] = (byte) (hasMetadata ? '1' : '0');
    return value;
  }

  /** The value after a change; empty if the user goes. */
  static byte[] value(Order order, RankIndex.Change change) {
    return change.present()
        ? value(order, change.score(), change.reached(), change.hasMetadata())
        : NONE;
  }

  static byte[] id(UserDictionary users, int user) {
    byte[] id = new byte[users.length(user)];
    users.copyId(user, id, 0);
    return id;
  }

  static byte[] member(Order order, long score, long reached, byte[] id) {
    byte[] member = new byte[PREFIX + id.length];
    put(member, order.key(score), reached);
    System.arraycopy(id, 0, member, PREFIX, id.length);
    return member;
  }

  /** A bound right after a member. */
  static byte[] after(byte[] member) {
    return Arrays.copyOf(member, member.length + 1);
  }

  /** A bound before every member of this score. */
  static byte[] before(Order order, long score) {
    byte[] bound = new byte[Long.BYTES];
    WORD.set(bound, 0, order.key(score) ^ Long.MIN_VALUE);
    return bound;
  }

  private static void put(byte[] target, long key, long reached) {
    WORD.set(target, 0, key ^ Long.MIN_VALUE);
    WORD.set(target, Long.BYTES, reached ^ Long.MIN_VALUE);
  }

  /** Of a member or of a value. */
  static long score(Order order, byte[] bytes) {
    return order.score((long) WORD.get(bytes, 0) ^ Long.MIN_VALUE);
  }

  static long reached(byte[] bytes) {
    return (long) WORD.get(bytes, Long.BYTES) ^ Long.MIN_VALUE;
  }

  static boolean hasMetadata(byte[] value) {
    return value[PREFIX] == '1';
  }
}
