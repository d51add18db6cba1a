package dev.laurel.core.rank;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * From a user's id to bytes, and from at most {@link #INLINE} of those to two longs: the bytes
 * big-endian, zero padded, and in the last byte how many they are. Compared as one unsigned 128-bit
 * number the longs order as unsigned bytes do, and a prefix comes before what it begins.
 *
 * <p>Stateless; safe for any number of threads.
 */
final class IdBytes {
  /** How many bytes two longs have room for, beside the length. */
  static final int INLINE = 15;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long QUESTION_MARKS = '?' * ONES;

  private IdBytes() {}

  /** Null for a lone surrogate: UTF-8 has no form for it, and it would become a question mark. */
  static byte @Nullable [] encode(String id) {
    // The JDK's own loops check and copy many characters at once; one of ours, character by
    // character, took longer than the cache miss that follows.
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    return hasQuestionMark(utf8) && !new String(utf8, StandardCharsets.UTF_8).equals(id)
        ? null
        : utf8;
  }

  private static boolean hasQuestionMark(byte[] utf8) {
    int length = utf8.length;
    if (length < 8) {
      for (byte each : utf8) {
        if (each == '?') {
          return true;
        }
      }
      return false;
    }
    // A byte is zero where the sum borrows; a borrow that runs on finds too much, never too little.
    long any = 0;
    for (int i = 0; i < length; i += 8) {
      long word = word(utf8, Math.min(i, length - 8)) ^ QUESTION_MARKS;
      any |= (word - ONES) & ~word;
    }
    return (any & HIGH_BITS) != 0;
  }

  /** The first long, of an id of any length. */
  static long head(byte[] utf8, int from, int length) {
    if (length >= 8) {
      return word(utf8, from);
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head |= (utf8[from + i] & 0xffL) << (56 - 8 * i);
    }
    return head;
  }

  /** The second long. */
  static long tail(byte[] utf8, int from, int length) {
    if (length <= 8) {
      return length;
    }
    // The last eight bytes, without those that the head has.
    return word(utf8, from + length - 8) << (8 * (16 - length)) | length;
  }

  /** Writes the bytes of the two longs. */
  static void copy(long head, long tail, int length, byte[] target, int at) {
    long rest = head;
    int i = 0;
    if (length >= 8) {
      WORD.set(target, at, head);
      rest = tail;
      i = 8;
    }
    for (; i < length; i++, rest <<= 8) {
      target[at + i] = (byte) (rest >>> 56);
    }
  }

  /** Eight bytes, the first of them the highest. */
  static long word(byte[] bytes, int at) {
    return (long) WORD.get(bytes, at);
  }
}
