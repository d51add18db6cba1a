package dev.laurel.server;

import dev.laurel.server.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files that only the server's own account may read: the database has users, and secrets of
 * webhooks. What is there already keeps the rights that somebody gave it.
 */
final class OwnFiles {
  private OwnFiles() {}

  /** Makes an empty file if there is none; SQLite gives its other files the same rights. */
  static void create(Path file) {
    try {
      Files.createFile(file);
      keepToOwner(file, "rw-------");
    } catch (FileAlreadyExistsException e) {
      // As it is.
    } catch (IOException e) {
      throw new StartException(
          ExitCode.DATA_FOLDER, "%s cannot be made: %s".formatted(file, e.getMessage()), e);
    }
  }

  static void keepToOwner(Path path, String rights) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }
  }

  /** Writes a secret for the one who started the server. */
  static void write(Path file, String secret) {
    create(file);
    try {
      Files.writeString(file, secret + System.lineSeparator());
    } catch (IOException e) {
      throw new StartException(
          ExitCode.DATA_FOLDER, "%s cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
