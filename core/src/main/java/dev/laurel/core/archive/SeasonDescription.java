package dev.laurel.core.archive;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Season;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What an archive says of its season beside the rows.
 *
 * @param window the name of its window
 * @param line the ledger line that its ranks stand at
 */
public record SeasonDescription(
    String tenantId, Board board, Season season, String window, long line, List<PrizeTier> prizes) {

  /** Where it is in the archive: a path of three, safe in file systems and in URLs. */
  public String name() {
    return name(tenantId, board, season);
  }

  public static String name(String tenantId, Board board, Season season) {
    return safe(tenantId) + "/" + safe(board.uuid()) + "/" + safe(board.idOf(season));
  }

  /** Percent-encoded but for what every store takes; a point does not come first. */
  private static String safe(String text) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (b >= 'a' && b <= 'z')
              || (b >= 'A' && b <= 'Z')
              || (b >= '0' && b <= '9')
              || b == '-'
              || b == '_'
              || (b == '.' && !out.isEmpty());
      if (plain) {
        out.append((char) b);
      } else {
        out.append(String.format(Locale.ROOT, "%%%02X", b & 0xff));
      }
    }
    return out.toString();
  }
}
