package dev.laurel.core.store;

import dev.laurel.core.model.LedgerLine;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a shard's lines that were pruned: how far, and a chain of SHA-256 over all of
 * them. Whoever kept a copy can prove by it that nothing is missing and nothing was changed.
 *
 * @param line the last line that is gone; 0 if none is
 * @param digest in hexadecimal: each line's bytes hashed together with the digest before it
 */
public record LedgerCheckpoint(int shard, long line, String digest) {
  public static LedgerCheckpoint none(int shard) {
    return new LedgerCheckpoint(shard, 0, "");
  }

  /** After the lines that follow. */
  public LedgerCheckpoint then(List<LedgerLine> lines) {
    MessageDigest sha = sha256();
    byte[] chain = HexFormat.of().parseHex(digest);
    long last = line;
    for (LedgerLine next : lines) {
      if (next.shard() != shard || next.line() != last + 1) {
        throw new IllegalArgumentException(
            "line: %d (expected: %d of shard %d)".formatted(next.line(), last + 1, shard));
      }
      sha.update(chain);
      chain = sha.digest(bytes(next));
      last++;
    }
    return new LedgerCheckpoint(shard, last, HexFormat.of().formatHex(chain));
  }

  /** All that a line says. Kinds and modes by name: their numbers are the store's own matter. */
  private static byte[] bytes(LedgerLine line) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(line.shard());
      out.writeLong(line.line());
      out.writeLong(line.board());
      out.writeInt(line.user());
      text(out, line.kind().name());
      text(out, line.mode().name());
      out.writeLong(line.value());
      out.writeLong(line.at());
      out.writeLong(line.windows());
      out.writeInt(line.version());
      out.writeLong(line.previous());
      out.writeLong(line.stamp());
      out.writeLong(line.caller());
      text(out, line.eventId());
      text(out, line.metadata());
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * With its length, so that no two sequences of texts look the same; none is not the empty one.
   */
  private static void text(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeInt(-1);
      return;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
