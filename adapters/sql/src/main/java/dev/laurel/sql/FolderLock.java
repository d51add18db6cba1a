package dev.laurel.sql;

import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The proof that this process owns a data folder. SQLite itself would let a second process in, and
 * that one's index would never hear of this one's commits. The operating system gives the lock back
 * when the process ends, however it ends.
 */
final class FolderLock {
  static final String FILE = "laurel.lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  static FolderLock take(Path folder) {
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(FILE);
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean taken = false;
      try {
        taken = tryLock(channel);
        if (!taken) {
          throw new StoreUnavailableException(
              "data folder: "
                  + folder.toAbsolutePath()
                  + " (expected: one that no other Laurel uses; process "
                  + holder(file)
                  + " holds its "
                  + FILE
                  + ")");
        }
        sign(channel);
      } finally {
        if (!taken) {
          channel.close();
        }
      }
      return new FolderLock(channel);
    } catch (IOException e) {
      throw new StoreException("data folder: " + folder.toAbsolutePath() + " (" + e + ")", e);
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by this very process
    }
  }

  /** For whoever finds the folder taken. */
  private static void sign(FileChannel channel) throws IOException {
    byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid), 0);
  }

  private static String holder(Path file) throws IOException {
    String pid = Files.readString(file);
    return pid.isEmpty() ? "(unknown)" : pid;
  }

  void release() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException("cannot release " + FILE + ": " + e, e);
    }
  }
}
