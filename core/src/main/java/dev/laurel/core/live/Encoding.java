package dev.laurel.core.live;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.rank.UserDictionary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A form in which a range is told; made once for all who watch it. Equal ones write the same.
 * Thread-safe.
 */
public interface Encoding {
  /** What a user is called at a rank; {@link dev.laurel.core.rank.Ranking#OUTSIDE} out of sight. */
  Names.Name name(Board board, UserDictionary users, int user, long rank);

  /** Whether nobody may know that the user is there whom the range is around. */
  boolean hides(Board board, Picture picture);

  /** Another number when somebody of the board's tenant may be called something else. */
  long namesVersion(Board board);

  /** For the ids of events: another one where users are seen in another way. */
  String tag();

  /** The whole range; whoever gets it forgets what was before. */
  byte[] snapshot(Board board, Season season, Picture picture, Names names, String id);

  /**
   * What changed since the last message; the last event of it carries the id.
   *
   * @param names also of those who left
   */
  byte[] updates(
      Board board, Season season, Picture picture, Names names, List<Update> updates, String id);

  /**
   * What is told of a range beside its rows is different: how many entries there are, or what
   * became of the season or the board.
   *
   * @param id null if updates follow that carry it
   * @return null if this form says nothing of it
   */
  byte @Nullable [] info(Board board, Season season, Picture picture, @Nullable String id);

  /** The season is another one; a snapshot follows. */
  byte[] season(Board board, Season old, Season now);

  /** What the client has is right; what it missed follows. */
  byte[] resumed(Board board);
}
