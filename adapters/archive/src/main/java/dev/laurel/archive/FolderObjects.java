package dev.laurel.archive;

import dev.laurel.core.archive.ArchiveException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Objects as files of a folder. */
public final class FolderObjects implements Objects {
  private final Path root;

  /** The folder is made when it is first written to. */
  public FolderObjects(Path root) {
    this.root = root;
  }

  @Override
  public void put(String name, Path file) {
    Path target = root.resolve(name);
    Path folder = target.getParent();
    if (folder == null) {
      throw new IllegalArgumentException("name: " + name + " (expected: a path in the archive)");
    }
    try {
      Files.createDirectories(folder);
      Path temporary = Files.createTempFile(folder, "writing", ".tmp");
      try {
        Files.copy(file, temporary, StandardCopyOption.REPLACE_EXISTING);
        sync(temporary, StandardOpenOption.WRITE);
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(temporary);
      }
      // The names too, up to the root: a file that no folder names after a crash was not written.
      for (Path at = folder; at != null && at.startsWith(root); at = at.getParent()) {
        sync(at, StandardOpenOption.READ);
      }
    } catch (IOException e) {
      throw unavailable("written", name, e);
    }
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }

  @Override
  public InputStream open(String name) {
    Path file = root.resolve(name);
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  @Override
  public byte[] read(String name, long offset, int length) {
    Path file = root.resolve(name);
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      channel.position(offset);
      return Channels.newInputStream(channel).readNBytes(length);
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  @Override
  public void delete(String name) {
    try {
      Files.deleteIfExists(root.resolve(name));
    } catch (IOException e) {
      throw unavailable("removed", name, e);
    }
  }

  @Override
  public boolean outlivesNodes() {
    return false;
  }

  private ArchiveException failure(String name, IOException e) {
    // Without the root it is the disk that is missing, not the file.
    return e instanceof NoSuchFileException && Files.isDirectory(root)
        ? ArchiveException.damaged("missing in the archive: " + name, e)
        : unavailable("read", name, e);
  }

  /** Where the folder is stays in the cause, for the log: callers hear of names in the archive. */
  private static ArchiveException unavailable(String what, String name, IOException e) {
    return ArchiveException.unavailable(
        "the archive cannot be %s: %s (%s)".formatted(what, name, e.getClass().getSimpleName()), e);
  }

  @Override
  public void close() {}
}
