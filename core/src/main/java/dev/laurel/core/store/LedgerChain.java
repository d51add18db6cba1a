package dev.laurel.core.store;

import dev.laurel.core.model.LedgerLine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * The chain of a shard's lines: each line's digest is SHA-256 over the digest before it and all
 * that the line says. What only the holder of the key can make is the code (HMAC) of a digest, at
 * the head and at the checkpoints: a line that was changed, removed or moved gives another digest
 * than the one that was signed.
 *
 * <p>The personal part of a line (event id, metadata, client) enters as a digest of its own, salted
 * by a key and the line's number: it can be erased, its digest takes its place, and nobody without
 * the key can find out by trying what it was.
 *
 * <p>Both stores and whoever verifies use this one class, so the bytes are the same. For one
 * thread.
 */
public final class LedgerChain {
  /** A stretch between checkpoints has about as many lines. */
  public static final long STRETCH = 10_000;

  private static final int BYTES = 32;
  private static final HexFormat HEX = HexFormat.of();
  private static final String NOTHING = "00".repeat(BYTES);

  private final MessageDigest sha = sha256();
  private final Mac mac;
  private final byte[] salt;
  private final byte[] chained = new byte[BYTES];
  private final byte[] personal = new byte[BYTES];

  /** The digest before, what a line says, and the digest of its personal part if it has one. */
  private final ByteBuffer bytes = ByteBuffer.allocate(256);

  public LedgerChain(LedgerKey key) {
    this.mac = key.derived("chain").mac();
    this.salt = key.bytes("salt");
  }

  /** A chain that covers what comes after this line. */
  public LedgerHead begin(int shard, long line) {
    return head(shard, line, line, NOTHING);
  }

  /**
   * The head after these lines. One that is not genuine is not made so: who changed lines and then
   * the head would otherwise only have to wait for the next commit. What is signed then can be
   * continued, and fits no lines.
   */
  public LedgerHead append(LedgerHead head, List<LedgerLine> lines) {
    String digest = isGenuine(head) ? head.digest() : code("broken", head.shard(), 0, 0, NOTHING);
    return head(
        head.shard(), head.line() + lines.size(), head.from(), after(digest, head.line(), lines));
  }

  /** The same head of a chain that begins later. */
  public LedgerHead from(LedgerHead head, long line) {
    // What is broken stays broken.
    return isGenuine(head) ? head(head.shard(), head.line(), line, head.digest()) : head;
  }

  private LedgerHead head(int shard, long line, long from, String digest) {
    return new LedgerHead(shard, line, from, digest, code("head", shard, line, from, digest));
  }

  public LedgerCheckpoint checkpoint(int shard, long line, String digest) {
    return new LedgerCheckpoint(shard, line, digest, code("checkpoint", shard, line, 0, digest));
  }

  public boolean isGenuine(LedgerHead head) {
    return head(head.shard(), head.line(), head.from(), head.digest()).equals(head);
  }

  public boolean isGenuine(LedgerCheckpoint checkpoint) {
    return checkpoint(checkpoint.shard(), checkpoint.line(), checkpoint.digest())
        .equals(checkpoint);
  }

  private String code(String what, int shard, long line, long from, String digest) {
    mac.update(what.getBytes(StandardCharsets.UTF_8));
    mac.update(
        ByteBuffer.allocate(21).put((byte) 0).putInt(shard).putLong(line).putLong(from).array());
    return HEX.formatHex(mac.doFinal(digest.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The digest after the lines that follow.
   *
   * @throws IllegalArgumentException if they do not follow
   */
  public String after(String digest, long last, List<LedgerLine> lines) {
    System.arraycopy(HEX.parseHex(digest), 0, chained, 0, BYTES);
    long expected = last;
    try {
      for (LedgerLine line : lines) {
        if (line.line() != ++expected) {
          throw new IllegalArgumentException(
              "line: %d (expected: %d)".formatted(line.line(), expected));
        }
        write(line);
        sha.update(bytes.array(), 0, bytes.position());
        sha.digest(chained, 0, BYTES);
      }
    } catch (DigestException e) {
      throw new IllegalStateException("a digest has 32 bytes", e);
    }
    return HEX.formatHex(chained);
  }

  private void write(LedgerLine line) throws DigestException {
    boolean hasPersonal = hasPersonal(line);
    if (hasPersonal) {
      digestPersonal(line);
    }
    bytes
        .clear()
        .put(chained)
        .putInt(line.shard())
        .putLong(line.line())
        .putLong(line.board())
        .putInt(line.user())
        // By name: an enum that is sorted anew cannot rewrite history.
        .putInt(line.kind().name().hashCode())
        .putInt(line.mode().name().hashCode())
        .putLong(line.value())
        .putLong(line.at())
        .putLong(line.windows())
        .putInt(line.version())
        .putLong(line.previous())
        .putLong(line.stamp())
        .putLong(line.caller());
    if (hasPersonal) {
      bytes.put(personal);
    }
  }

  private static boolean hasPersonal(LedgerLine line) {
    return line.eventId() != null
        || line.metadata() != null
        || line.client() != null
        || line.erased() != null;
  }

  private void digestPersonal(LedgerLine line) throws DigestException {
    String erased = line.erased();
    if (erased != null) {
      System.arraycopy(HEX.parseHex(erased), 0, personal, 0, BYTES);
      return;
    }
    sha.update(salt);
    bytes.clear().putInt(line.shard()).putLong(line.line());
    sha.update(bytes.array(), 0, bytes.position());
    text(line.eventId());
    text(line.metadata());
    text(line.client());
    sha.digest(personal, 0, BYTES);
  }

  /**
   * With its length, so that no two sequences of texts look the same; none is not the empty one.
   */
  private void text(@Nullable String text) {
    byte[] utf8 = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    sha.update(bytes.clear().putInt(text == null ? -1 : utf8.length).array(), 0, Integer.BYTES);
    sha.update(utf8);
  }

  /** The same line without its personal part; one that has none, or has lost it, as it is. */
  public LedgerLine erase(LedgerLine line) {
    if (line.erased() != null || !hasPersonal(line)) {
      return line;
    }
    try {
      digestPersonal(line);
    } catch (DigestException e) {
      throw new IllegalStateException("a digest has 32 bytes", e);
    }
    return line.erased(HEX.formatHex(personal));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
