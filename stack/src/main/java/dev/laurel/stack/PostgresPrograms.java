package dev.laurel.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, as the jar for this machine holds them: a tar archive, packed. */
final class PostgresPrograms {
  private static final boolean IS_ROOT = said("id", "-u").equals("0");

  private final Path folder;

  PostgresPrograms(Programs programs) {
    String resource =
        "postgres-%s-%s.txz".formatted(Programs.system(), Programs.isArm() ? "arm_64" : "x86_64");
    this.folder = programs.unpacked(resource, target -> unpack(resource, target));
  }

  /** Entry by entry: nobody needs the whole of it in memory. */
  private static void unpack(String resource, Path target) throws IOException {
    try (InputStream packed = PostgresPrograms.class.getResourceAsStream("/" + resource);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZInputStream(Objects.requireNonNull(packed)))) {
      TarArchiveEntry entry;
      while ((entry = tar.getNextEntry()) != null) {
        Path file = target.resolve(entry.getName()).normalize();
        if (entry.isDirectory()) {
          Files.createDirectories(file);
          continue;
        }
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
          Files.createLink(file, target.resolve(entry.getLinkName()).normalize());
        } else {
          Files.copy(tar, file);
          if ((entry.getMode() & 0100) != 0 && !file.toFile().setExecutable(true)) {
            throw new IOException("cannot make executable: " + file);
          }
        }
      }
    }
  }

  /** The words that start one of them. PostgreSQL refuses to run as root, who can be nobody. */
  List<String> command(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (IS_ROOT) {
      command.addAll(List.of("unshare", "--user"));
    }
    command.add(folder.resolve("bin").resolve(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs one to its end, which must be a good one, and returns what it said. */
  String run(String program, String... arguments) {
    return said(command(program, arguments).toArray(String[]::new));
  }

  private static String said(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + said.strip());
      }
      return said.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
