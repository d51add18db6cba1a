package dev.laurel.server.imports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How far an import has come, in a small file. It may be behind (the batches after it have keys),
 * never ahead.
 *
 * @param boardCreated when the board was made, empty if unknown: another one of that name is not it
 * @param lanes as many as there are senders
 */
record ImportState(
    int version, String url, String board, String boardCreated, List<Lane> lanes, Counts counts) {
  static final int VERSION = 1;

  /** A file of an earlier version does not count held lines. */
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  /**
   * @param line the last one that is done
   * @param key that of its batch
   */
  record Lane(long line, String key) {
    static final Lane START = new Lane(0, "");
  }

  /** Lines by what came of them. */
  record Counts(long applied, long unchanged, long duplicate, long held, long rejected) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    long total() {
      return applied + unchanged + duplicate + held + rejected;
    }

    Counts plus(LineOutcome outcome) {
      return switch (outcome) {
        case APPLIED -> new Counts(applied + 1, unchanged, duplicate, held, rejected);
        case UNCHANGED -> new Counts(applied, unchanged + 1, duplicate, held, rejected);
        case DUPLICATE -> new Counts(applied, unchanged, duplicate + 1, held, rejected);
        case HELD -> new Counts(applied, unchanged, duplicate, held + 1, rejected);
        case REJECTED -> new Counts(applied, unchanged, duplicate, held, rejected + 1);
      };
    }
  }

  static ImportState start(String url, String board, String boardCreated, int lanes) {
    return new ImportState(
        VERSION, url, board, boardCreated, Collections.nCopies(lanes, Lane.START), Counts.NONE);
  }

  /** Null if there is none. */
  static @Nullable ImportState load(Path file) {
    try {
      ImportState state = JSON.readValue(Files.readAllBytes(file), ImportState.class);
      if (state.version != VERSION || state.lanes.isEmpty()) {
        throw new ImportException("state: " + file + " is of another version of Laurel");
      }
      return state;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException | JacksonException e) {
      throw new ImportException(
          "state: " + file + " cannot be read (" + e.getMessage() + "): name another with --state",
          e);
    }
  }

  /** Whole or not at all. */
  void save(Path file) {
    Path beside = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.write(beside, JSON.writeValueAsBytes(this));
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImportException(
          "state: " + file + " cannot be written (" + e + "): name another with --state", e);
    }
  }
}
