package dev.laurel.server;

import dev.laurel.core.store.LedgerKey;
import dev.laurel.server.cli.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;

/** The ledger's key of a server that nobody gave one: a file that its owner alone may read. */
final class KeyFile {
  private KeyFile() {}

  /** Makes one if there is none. */
  static LedgerKey read(Path file) {
    try {
      if (!Files.exists(file)) {
        create(file);
      }
      return LedgerKey.of(Files.readString(file).strip());
    } catch (IOException | IllegalArgumentException e) {
      throw new StartException(
          ExitCode.DATA_FOLDER,
          "the ledger's key %s cannot be used: %s".formatted(file, e.getMessage()),
          e);
    }
  }

  /** Whole or not at all: half a key that a crash left would be taken for the key. */
  private static void create(Path file) throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    Path made = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(made);
    try (var channel =
        Files.newByteChannel(
            made, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), owned())) {
      channel.write(
          ByteBuffer.wrap(HexFormat.of().formatHex(secret).getBytes(StandardCharsets.UTF_8)));
    }
    Files.move(made, file);
  }

  private static FileAttribute<?>[] owned() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
