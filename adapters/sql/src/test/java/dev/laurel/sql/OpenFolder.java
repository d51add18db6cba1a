package dev.laurel.sql;

import dev.laurel.core.store.StoreUnavailableException;
import java.nio.file.Path;
import java.time.InstantSource;

/** Another process that tries to open a store: exits with 3 if it was refused. */
final class OpenFolder {
  private OpenFolder() {}

  public static void main(String[] args) {
    try {
      SqliteStore.open(Path.of(args[0]), InstantSource.system()).close();
    } catch (StoreUnavailableException e) {
      System.out.println(e.getMessage());
      System.exit(3);
    }
  }
}
