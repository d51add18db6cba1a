package dev.laurel.server.imports;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Where the lines come from, and how much of it has been read. */
final class ImportInput implements AutoCloseable {
  private final Counted counted;
  private final LineSource lines;
  private final long size;

  /** Counts what is read of the file itself, packed or not. */
  private static final class Counted extends FilterInputStream {
    final AtomicLong bytes = new AtomicLong();

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      bytes.addAndGet(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int count = super.read(into, from, length);
      bytes.addAndGet(Math.max(0, count));
      return count;
    }
  }

  private ImportInput(Counted counted, LineSource lines, long size) {
    this.counted = counted;
    this.lines = lines;
    this.size = size;
  }

  /**
   * @param file {@code -} for standard input
   * @param format null to go by the name
   */
  static ImportInput open(
      String file, Path folder, InputStream stdin, @Nullable ImportFormat format, CsvOptions csv) {
    ImportFormat known = format == null ? byName(file) : format;
    Path path = folder.resolve(file);
    Counted counted = null;
    try {
      boolean standard = file.equals("-");
      counted = new Counted(standard ? stdin : Files.newInputStream(path));
      InputStream plain =
          lower(file).endsWith(".gz")
              ? new GZIPInputStream(counted, 65_536)
              : new BufferedInputStream(counted, 65_536);
      TextLines text = new TextLines(plain);
      LineSource lines = known == ImportFormat.CSV ? new CsvLines(text, csv) : new JsonLines(text);
      return new ImportInput(counted, lines, standard ? -1 : Files.size(path));
    } catch (IOException | ImportException e) {
      close(counted);
      throw e instanceof ImportException told
          ? new ImportException(file + ": " + told.getMessage())
          : new ImportException(explain(file, (IOException) e), e);
    }
  }

  private static void close(@Nullable Counted counted) {
    if (counted != null) {
      try {
        counted.close();
      } catch (IOException e) {
        // What went wrong before is what counts.
      }
    }
  }

  private static ImportFormat byName(String file) {
    String name = lower(file);
    String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    if (plain.endsWith(".csv")) {
      return ImportFormat.CSV;
    }
    if (plain.endsWith(".jsonl") || plain.endsWith(".ndjson")) {
      return ImportFormat.JSONL;
    }
    throw new ImportException(
        file
            + ": the name does not tell the format (expected: .csv, .jsonl or .ndjson, also with"
            + " .gz; or --format)");
  }

  static String explain(String file, IOException e) {
    return e instanceof NoSuchFileException
        ? file + ": no such file"
        : file + ": cannot be read: " + (e.getMessage() == null ? e.toString() : e.getMessage());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  LineSource lines() {
    return lines;
  }

  long bytesRead() {
    return counted.bytes.get();
  }

  /** In bytes; -1 if unknown. */
  long size() {
    return size;
  }

  @Override
  public void close() {
    close(counted);
  }
}
