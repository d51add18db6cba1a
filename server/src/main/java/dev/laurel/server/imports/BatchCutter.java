package dev.laurel.server.imports;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * Cuts the lines of one lane into batches, always in the same places, and names each batch by a
 * digest of the board, the lane and all of its lines so far. So a batch that is sent again has the
 * key it had before, two batches with the same lines have different ones, and a file that is not
 * the one that was begun is recognized. Belongs to one thread.
 */
final class BatchCutter {
  /** What the batch route takes. */
  static final int MAX_LINES = 1000;

  /** Below the server's default of 1 MiB. */
  private static final int MAX_BYTES = 900_000;

  private final int lane;
  private final ImportState.Lane done;
  private final Consumer<Batch> sink;
  private final MessageDigest digest = sha256();
  private String name;
  private List<ImportLine> lines = new ArrayList<>();
  private int bytes;
  private long skipped;

  /**
   * @param done up to where an earlier run came; batches up to there are not handed out again
   */
  BatchCutter(String board, int lanes, int lane, ImportState.Lane done, Consumer<Batch> sink) {
    this.lane = lane;
    this.done = done;
    this.sink = sink;
    this.name = hash("laurel import 1\n" + board + "\n" + lanes + "\n" + lane);
  }

  void add(ImportLine line) {
    int size = line instanceof ImportLine.Good good ? good.json().length + 1 : 0;
    if (bytes + size > MAX_BYTES) {
      cut();
    }
    lines.add(line);
    bytes += size;
    // The last batch of an earlier run may have been short: the file has grown since.
    if (lines.size() == MAX_LINES || line.number() == done.line()) {
      cut();
    }
  }

  /** At the end of the file. */
  void finish() {
    cut();
    if (skipped < done.line()) {
      throw otherFile();
    }
  }

  private void cut() {
    if (lines.isEmpty()) {
      return;
    }
    digest.update(name.getBytes(StandardCharsets.US_ASCII));
    for (ImportLine line : lines) {
      digest.update(
          switch (line) {
            case ImportLine.Good good -> good.json();
            case ImportLine.Bad bad -> bad.text().getBytes(StandardCharsets.UTF_8);
          });
      digest.update((byte) '\n');
    }
    name = HexFormat.of().formatHex(digest.digest());
    long last = lines.getLast().number();
    Batch batch = new Batch(lane, lines, name, last);
    lines = new ArrayList<>();
    bytes = 0;
    if (last > done.line()) {
      if (skipped < done.line()) {
        throw otherFile();
      }
      sink.accept(batch);
      return;
    }
    skipped = last;
    if (last == done.line() && !name.equals(done.key())) {
      throw otherFile();
    }
  }

  private ImportException otherFile() {
    return new ImportException(
        "up to line "
            + done.line()
            + " this is not the file whose import was begun. To send only what is new or mended,"
            + " import it as a file of its own; to send everything again, name another --state");
  }

  private String hash(String text) {
    return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
