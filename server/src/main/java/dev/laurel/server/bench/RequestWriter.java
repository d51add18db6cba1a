package dev.laurel.server.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.SplittableRandom;

/**
 * Writes requests. What is the same in all of them is encoded once; the rest is digits. For one
 * event loop.
 */
final class RequestWriter {
  /** Scores are below this, with the board's decimals. */
  private static final int SCORES = 100_000_000;

  private static final String USER = "user-";
  private static final byte[] HEAD_END = ascii("\r\n\r\n");

  private final UserPicker users;
  private final SplittableRandom random;
  private final int batch;
  private final int decimals;

  private final byte[] userPath;
  private final byte[] rankEnd;
  private final byte[] aroundEnd;
  private final byte[] top;
  private final byte[] ranksHead;
  private final byte[] putStart;
  private final byte[] putMiddle;
  private final byte[] scoresHead;
  private final byte[] quotedUser = ascii("\"" + USER);
  private final byte[] lineStart = ascii("{\"userId\":\"" + USER);
  private final byte[] lineMiddle = ascii("\",\"score\":");

  private final Scratch head = new Scratch(1024);
  private final Scratch body;

  RequestWriter(Target target, UserPicker users, int batch, int decimals, SplittableRandom random) {
    this.users = users;
    this.random = random;
    this.batch = batch;
    this.decimals = decimals;
    this.body = new Scratch(64 * Math.max(1, batch) + 64);
    String board = target.boardPath();
    String common = " HTTP/1.1\r\nHost: " + target.authority() + "\r\n" + target.keyHeader();
    String sent = common + "Content-Type: application/json\r\nContent-Length: ";
    userPath = ascii("GET " + board + "/users/" + USER);
    rankEnd = ascii("/rank" + common + "\r\n");
    aroundEnd = ascii("/around" + common + "\r\n");
    top = ascii("GET " + board + "/top?limit=10" + common + "\r\n");
    ranksHead = ascii("POST " + board + "/ranks" + sent);
    putStart = ascii("PUT " + board + "/users/" + USER);
    putMiddle = ascii(sent);
    scoresHead = ascii("POST " + board + "/scores" + sent);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }

  ByteBuf write(Operation operation, ByteBufAllocator allocator) {
    head.clear();
    body.clear();
    switch (operation) {
      case RANK -> head.add(userPath).add(users.next()).add(rankEnd);
      case AROUND -> head.add(userPath).add(users.next()).add(aroundEnd);
      case TOP -> head.add(top);
      case PUT -> {
        body.add(SCORE_START);
        score();
        body.add('}');
        head.add(putStart).add(users.next()).add(putMiddle).add(body.length).add(HEAD_END);
      }
      case RANKS -> {
        ids();
        head.add(ranksHead).add(body.length).add(HEAD_END);
      }
      case SCORES -> {
        lines();
        head.add(scoresHead).add(body.length).add(HEAD_END);
      }
    }
    return allocator
        .directBuffer(head.length + body.length)
        .writeBytes(head.bytes, 0, head.length)
        .writeBytes(body.bytes, 0, body.length);
  }

  private static final byte[] SCORE_START = ascii("{\"score\":");
  private static final byte[] IDS_START = ascii("{\"userIds\":[");
  private static final byte[] LINES_START = ascii("{\"scores\":[");
  private static final byte[] ARRAY_END = ascii("]}");

  private void ids() {
    body.add(IDS_START);
    for (int i = 0; i < batch; i++) {
      if (i > 0) {
        body.add(',');
      }
      body.add(quotedUser).add(users.next()).add('"');
    }
    body.add(ARRAY_END);
  }

  private void lines() {
    body.add(LINES_START);
    for (int i = 0; i < batch; i++) {
      if (i > 0) {
        body.add(',');
      }
      body.add(lineStart).add(users.next()).add(lineMiddle);
      score();
      body.add('}');
    }
    body.add(ARRAY_END);
  }

  private void score() {
    body.add(random.nextInt(SCORES));
    if (decimals > 0) {
      body.add('.');
      for (int i = 0; i < decimals; i++) {
        body.add((char) ('0' + random.nextInt(10)));
      }
    }
  }

  /** Bytes that are written over and over. */
  private static final class Scratch {
    private final byte[] bytes;
    private int length;

    Scratch(int capacity) {
      bytes = new byte[capacity];
    }

    void clear() {
      length = 0;
    }

    Scratch add(byte[] more) {
      System.arraycopy(more, 0, bytes, length, more.length);
      length += more.length;
      return this;
    }

    Scratch add(char c) {
      bytes[length++] = (byte) c;
      return this;
    }

    Scratch add(int number) {
      int digits = 1;
      for (long above = 10; above <= number; above *= 10) {
        digits++;
      }
      int rest = number;
      for (int i = length + digits - 1; i >= length; i--) {
        bytes[i] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
      length += digits;
      return this;
    }
  }
}
