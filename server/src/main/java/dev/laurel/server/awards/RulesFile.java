package dev.laurel.server.awards;

import dev.laurel.core.award.Awards;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.store.StoreException;
import dev.laurel.core.store.Tenant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default tenant's rules from a file, read at start and on SIGHUP. What it says goes to the
 * store, as if it had come by the API: so every node has it, and one way leads to points. A file
 * that is broken, not signed, or older than what is in force changes nothing and is logged.
 */
public final class RulesFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RulesFile.class);

  private final Path file;
  private final Awards awards;
  private final Boards boards;
  private final Hangup hangup;

  public RulesFile(Path file, Awards awards, Boards boards) {
    this.file = file;
    this.awards = awards;
    this.boards = boards;
    load();
    this.hangup = new Hangup(this::load);
  }

  private void load() {
    try {
      awards.put(
          Tenant.DEFAULT,
          Files.readString(file),
          signature(),
          "award-rules",
          null,
          _ -> new byte[0]);
      // So that it can be read before the first award.
      boards.global(Tenant.DEFAULT, "award-rules");
      LOG.atInfo()
          .addKeyValue("version", version())
          .addKeyValue("file", file)
          .log("award rules read");
    } catch (IOException | RejectedException | StoreException e) {
      LOG.atError()
          .addKeyValue("file", file)
          .addKeyValue("why", String.valueOf(e.getMessage()))
          .addKeyValue("version", version())
          .log("award rules not taken; those before stay in force");
    }
  }

  private long version() {
    var rules = awards.of(Tenant.DEFAULT).rules();
    return rules == null ? 0 : rules.version();
  }

  /** Beside it, in base64. */
  private @Nullable String signature() throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".sig");
    return Files.exists(beside) ? Files.readString(beside).strip() : null;
  }

  @Override
  public void close() {
    hangup.close();
  }
}
