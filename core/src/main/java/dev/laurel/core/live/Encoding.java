package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import java.util.List;

/**
 * A form in which a range is told; made once for all who watch it. Equal ones write the same.
 * Thread-safe.
 */
public interface Encoding {
  /** The whole range; whoever gets it forgets what was before. */
  byte[] snapshot(Board board, Season season, Picture picture, String id);

  /** What changed since the last message; the last event of it carries the id. */
  byte[] updates(Board board, Season season, Picture picture, List<Update> updates, String id);

  /** The season is another one; a snapshot follows. */
  byte[] season(Board board, Season old, Season now);

  /** What the client has is right; what it missed follows. */
  byte[] resumed(Board board);
}
