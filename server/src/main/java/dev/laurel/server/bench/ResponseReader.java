package dev.laurel.server.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;

/**
 * Reads as much of HTTP/1.1 as is needed to know the status and where an answer ends. For one
 * connection, on its event loop.
 */
final class ResponseReader {
  private static final int MAX_HEAD = 16_384;

  /** Large enough for the most that is read at once and a head that was cut. */
  static final int SCRATCH = 65_536 + MAX_HEAD;

  private static final byte[] LENGTH = "content-length:".getBytes(US_ASCII);
  private static final byte[] ENCODING = "transfer-encoding:".getBytes(US_ASCII);

  /** Hears of answers. */
  interface Listener {
    /** A head was read, and this much of its body is there already. */
    void begun(int status, byte[] bytes, int bodyFrom, int bodyTo, long bodyLength);

    void ended(int status, long size);
  }

  /** What came is not HTTP as Laurel speaks it. */
  static final class UnreadableException extends RuntimeException {
    UnreadableException(String message) {
      super(message);
    }
  }

  private final Listener listener;
  private final byte[] cut = new byte[MAX_HEAD];
  private int cutLength;
  private int status;
  private long size;
  private long bodyLength;
  private long bodyLeft;

  ResponseReader(Listener listener) {
    this.listener = listener;
  }

  /** Forgets what was half read. */
  void reset() {
    cutLength = 0;
    bodyLeft = 0;
  }

  /**
   * @param scratch shared by the connections of a loop
   */
  void read(ByteBuf buffer, byte[] scratch) {
    while (buffer.isReadable()) {
      if (bodyLeft > 0) {
        int some = (int) Math.min(bodyLeft, buffer.readableBytes());
        buffer.skipBytes(some);
        bodyLeft -= some;
        if (bodyLeft == 0) {
          listener.ended(status, size);
        }
        continue;
      }
      int some = Math.min(buffer.readableBytes(), scratch.length - cutLength);
      System.arraycopy(cut, 0, scratch, 0, cutLength);
      buffer.readBytes(scratch, cutLength, some);
      int to = cutLength + some;
      cutLength = 0;
      read(scratch, to);
    }
  }

  private void read(byte[] bytes, int to) {
    int from = 0;
    while (from < to) {
      int body = head(bytes, from, to);
      if (body < 0) {
        keep(bytes, from, to);
        return;
      }
      size = body - from + bodyLength;
      int some = (int) Math.min(bodyLength, to - body);
      listener.begun(status, bytes, body, body + some, bodyLength);
      from = body + some;
      bodyLeft = bodyLength - some;
      if (bodyLeft == 0) {
        listener.ended(status, size);
      }
    }
  }

  private void keep(byte[] bytes, int from, int to) {
    cutLength = to - from;
    if (cutLength > MAX_HEAD) {
      throw new UnreadableException("a head of more than " + MAX_HEAD + " bytes");
    }
    System.arraycopy(bytes, from, cut, 0, cutLength);
  }

  /** The index after the head, or -1 if it is not complete. */
  private int head(byte[] bytes, int from, int to) {
    bodyLength = 0;
    int line = from;
    for (int i = from; i < to; i++) {
      if (bytes[i] != '\n') {
        continue;
      }
      if (line == from) {
        status = status(bytes, from, i);
      } else if (i - line <= 1) {
        return i + 1;
      } else {
        int first = bytes[line] | 0x20;
        if (first == 'c' && startsWith(bytes, line, i, LENGTH)) {
          bodyLength = number(bytes, line + LENGTH.length, i);
        } else if (first == 't' && startsWith(bytes, line, i, ENCODING)) {
          throw new UnreadableException("an answer without a length");
        }
      }
      line = i + 1;
    }
    return -1;
  }

  private static int status(byte[] bytes, int from, int to) {
    if (to - from < 12 || bytes[from] != 'H' || bytes[from + 4] != '/') {
      throw new UnreadableException("an answer that is not HTTP");
    }
    return (int) number(bytes, from + 9, from + 12);
  }

  private static boolean startsWith(byte[] bytes, int from, int to, byte[] name) {
    if (to - from < name.length) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      if ((bytes[from + i] | 0x20) != name[i] && bytes[from + i] != name[i]) {
        return false;
      }
    }
    return true;
  }

  private static long number(byte[] bytes, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (b >= '0' && b <= '9') {
        value = 10 * value + (b - '0');
      } else if (b != ' ' && b != '\r') {
        throw new UnreadableException("a number that is none");
      }
    }
    return value;
  }
}
