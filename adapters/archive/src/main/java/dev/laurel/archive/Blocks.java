package dev.laurel.archive;

import dev.laurel.core.store.Digest;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Lines in compressed blocks: each block is a gzip member of its own, so that one can be read
 * without the others, and all of them together are still a file for {@code zcat}.
 */
final class Blocks {
  static final int MAX_LINES = 1000;

  /** Metadata may be long; a block must not be. */
  private static final int MAX_BYTES = 262_144;

  private Blocks() {}

  /**
   * A block's place.
   *
   * @param first of its lines: a position, or a user id
   * @param check 128 bits of SHA-256 of the compressed bytes, in hexadecimal
   */
  record Block(long offset, int length, String first, String check) {}

  /** A whole file of them. */
  record Part(long bytes, String sha256, List<Block> blocks) {}

  /** Writes lines to a file. Belongs to one thread. */
  static final class Writer implements AutoCloseable {
    private final OutputStream out;
    private final MessageDigest sha256 = newSha256();
    private final List<Block> blocks = new ArrayList<>();
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream(MAX_BYTES);
    private String first = "";
    private int count;
    private long offset;

    Writer(Path file) throws IOException {
      this.out = new BufferedOutputStream(Files.newOutputStream(file));
    }

    /**
     * @param name what the line is looked for by
     */
    void add(String name, byte[] line) throws IOException {
      if (count == 0) {
        first = name;
      }
      lines.writeBytes(line);
      lines.write('\n');
      if (++count == MAX_LINES || lines.size() >= MAX_BYTES) {
        flush();
      }
    }

    private void flush() throws IOException {
      ByteArrayOutputStream compressed = new ByteArrayOutputStream(lines.size() / 3);
      try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
        lines.writeTo(gzip);
      }
      byte[] bytes = compressed.toByteArray();
      out.write(bytes);
      sha256.update(bytes);
      blocks.add(new Block(offset, bytes.length, first, check(bytes)));
      offset += bytes.length;
      lines.reset();
      count = 0;
    }

    Part finish() throws IOException {
      // Also where there is nothing: an empty file is none that zcat takes.
      if (count > 0 || blocks.isEmpty()) {
        flush();
      }
      out.close();
      return new Part(offset, HexFormat.of().formatHex(sha256.digest()), List.copyOf(blocks));
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  /** The lines of a block, uncompressed. */
  static List<String> lines(byte[] block) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(block))) {
      String text = new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = new ArrayList<>();
      // Not String.lines: that also takes a lone carriage return for an end.
      for (int from = 0, to; (to = text.indexOf('\n', from)) >= 0; from = to + 1) {
        lines.add(text.substring(from, to));
      }
      return lines;
    }
  }

  static String check(byte[] bytes) {
    return HexFormat.of().formatHex(Digest.of(bytes).bytes());
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
