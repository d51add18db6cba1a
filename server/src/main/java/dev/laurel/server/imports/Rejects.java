package dev.laurel.server.imports;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Tells about lines that were refused, and keeps them to be mended. Callers hold a lock. */
final class Rejects implements AutoCloseable {
  private final PrintWriter err;
  private final int most;
  private final @Nullable BufferedWriter kept;
  private long told;

  /**
   * @param most how many are told; a terminal with a bar has no room for thousands
   * @param goOn whether the file of an earlier run is continued
   */
  Rejects(PrintWriter err, int most, @Nullable Path file, @Nullable String header, boolean goOn) {
    this.err = err;
    this.most = most;
    this.kept = file == null ? null : open(file, header, goOn);
  }

  private static BufferedWriter open(Path file, @Nullable String header, boolean goOn) {
    try {
      boolean begun = goOn && Files.exists(file) && Files.size(file) > 0;
      BufferedWriter writer =
          Files.newBufferedWriter(
              file,
              StandardCharsets.UTF_8,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              begun ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING);
      if (!begun && header != null) {
        writer.write(header);
        writer.write('\n');
      }
      return writer;
    } catch (IOException e) {
      throw failed(file.toString(), e);
    }
  }

  void add(ImportLine line, String code, String message) {
    if (told < most) {
      err.println("line " + line.number() + ": " + code + ": " + message);
    } else if (told == most) {
      err.println("more lines are rejected; --rejects FILE keeps them all");
    }
    told++;
    if (kept != null) {
      try {
        kept.write(line.text());
        kept.write('\n');
      } catch (IOException e) {
        throw failed("", e);
      }
    }
  }

  /** Before the state says that they are done. */
  void flush() {
    err.flush();
    if (kept != null) {
      try {
        kept.flush();
      } catch (IOException e) {
        throw failed("", e);
      }
    }
  }

  private static ImportException failed(String file, IOException e) {
    return new ImportException("rejects: " + file + " cannot be written: " + e, e);
  }

  @Override
  public void close() {
    if (kept != null) {
      try {
        kept.close();
      } catch (IOException e) {
        throw failed("", e);
      }
    }
  }
}
