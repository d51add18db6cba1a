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
 * The default tenant's rules from a file. What it says goes to the store, as if it had come by the
 * API: so every node has it, and one way leads to points. A file that is broken, not signed, or
 * older than what is in force changes nothing and is logged, once. For one thread.
 */
public final class RulesFile {
  private static final Logger LOG = LoggerFactory.getLogger(RulesFile.class);

  private final Path file;
  private final Awards awards;
  private final Boards boards;

  /** What the store has taken or refused, and would again. */
  private @Nullable Contents settled;

  private String said = "";

  /** The rules, and what is beside them. They are compared: times of files deceive. */
  private record Contents(String rules, @Nullable String signature) {
    static Contents of(Path file) throws IOException {
      Path beside = file.resolveSibling(file.getFileName() + ".sig");
      return new Contents(
          Files.readString(file), Files.exists(beside) ? Files.readString(beside).strip() : null);
    }
  }

  public RulesFile(Path file, Awards awards, Boards boards) {
    this.file = file;
    this.awards = awards;
    this.boards = boards;
  }

  /** Takes what the file says, if that has changed since it was last taken or refused. */
  public void follow() {
    try {
      Contents now = Contents.of(file);
      if (!now.equals(settled)) {
        take(now);
        settled = now;
        said = "";
      }
    } catch (IOException | StoreException e) {
      notTaken(e); // it is looked at again, changed or not
    }
  }

  private void take(Contents contents) {
    try {
      awards.put(
          Tenant.DEFAULT,
          contents.rules,
          contents.signature,
          "award-rules",
          null,
          _ -> new byte[0]);
      // So that it can be read before the first award.
      boards.global(Tenant.DEFAULT, "award-rules");
      LOG.atInfo()
          .addKeyValue("version", version())
          .addKeyValue("file", file)
          .log("award rules read");
    } catch (RejectedException e) {
      notTaken(e);
    }
  }

  private void notTaken(Exception e) {
    String why = String.valueOf(e.getMessage());
    if (!why.equals(said)) {
      said = why;
      LOG.atError()
          .addKeyValue("file", file)
          .addKeyValue("why", why)
          .addKeyValue("version", version())
          .log("award rules not taken; those before stay in force");
    }
  }

  private long version() {
    var rules = awards.of(Tenant.DEFAULT).rules();
    return rules == null ? 0 : rules.version();
  }
}
