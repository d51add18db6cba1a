package dev.laurel.server.imports;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of a file, one by one. Belongs to one thread. */
interface LineSource {
  /** Null at the end. */
  @Nullable ImportLine next() throws IOException;

  /** What a file of rejected lines must begin with; null for nothing. */
  @Nullable String header();
}
