package dev.laurel.testkit;

import dev.laurel.core.archive.Archive;
import dev.laurel.core.archive.ArchivedSeason;
import dev.laurel.core.archive.SeasonDescription;
import java.util.function.LongConsumer;

/** For tests that do not archive. */
final class NoArchive implements Archive {
  @Override
  public Written write(SeasonDescription season, Rows rows) {
    throw absent();
  }

  @Override
  public ArchivedSeason open(String name, String digest) {
    throw absent();
  }

  @Override
  public void verify(String name, String digest, LongConsumer progress) {
    throw absent();
  }

  private static IllegalStateException absent() {
    return new IllegalStateException("this test did not bring an archive");
  }

  @Override
  public void close() {}
}
