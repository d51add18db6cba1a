package dev.laurel.core.board;

import dev.laurel.core.model.FormerBounds;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.ReadTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which seasons the lines of boards reached: {@link Routing} looked back at. An edit may have moved
 * a season's bounds since, so those that were in force when the line was written decide ({@link
 * FormerBounds}). At any moment at most one season of a window covers a time. Belongs to one
 * transaction.
 */
public final class LineSeasons {
  private final ReadTransaction tx;
  private final Map<Long, List<FormerBounds>> former = new HashMap<>();

  /** Found last for each window: lines that follow each other are mostly of the same season. */
  private final Map<Place, Season> last = new HashMap<>();

  private record Place(long board, int window) {}

  public LineSeasons(ReadTransaction tx) {
    this.tx = tx;
  }

  /** In the order of their windows. */
  public List<Season> of(LedgerLine line) {
    List<Season> reached = new ArrayList<>(Long.bitCount(line.windows()));
    for (long rest = line.windows(); rest != 0; rest &= rest - 1) {
      Season season = of(line, Long.numberOfTrailingZeros(rest));
      if (season != null) {
        reached.add(season);
      }
    }
    return reached;
  }

  /** The season of a window that the line names; null if nobody knows it any more. */
  public @Nullable Season of(LedgerLine line, int window) {
    FormerBounds then = null;
    for (FormerBounds bounds : inForce(line)) {
      if (bounds.window() == window
          && bounds.covers(line.at())
          && (then == null || bounds.untilLine() < then.untilLine())) {
        then = bounds;
      }
    }
    return then == null ? covering(line, window) : season(then, line.board());
  }

  /**
   * Whether a line that names the season's window reached the season. A deletion reached each that
   * took events by then, if the user had something in it; whether that is so the caller knows.
   */
  public boolean reached(Season season, LedgerLine line) {
    if (line.kind() != LedgerLine.Kind.DELETE) {
      if (season.covers(line.at()) && inForce(line).isEmpty()) {
        return true;
      }
      Season found = of(line, season.window());
      return found != null && found.id() == season.id();
    }
    long closes = season.closes();
    for (FormerBounds bounds : inForce(line)) {
      closes = bounds.season() == season.id() ? bounds.closes() : closes;
    }
    return line.at() < closes;
  }

  /** Of each season whose bounds were others when the line was written: those. */
  private List<FormerBounds> inForce(LedgerLine line) {
    List<FormerBounds> all = former.computeIfAbsent(line.board(), tx::formerBounds);
    if (all.isEmpty()) {
      return all;
    }
    // What is said about a line is about the seasons that the line itself has reached.
    boolean aboutAnother =
        line.kind() == LedgerLine.Kind.REVERT || line.kind() == LedgerLine.Kind.RELEASE;
    long written = aboutAnother ? line.value() : line.line();
    List<FormerBounds> inForce = new ArrayList<>();
    for (FormerBounds bounds : all) {
      if (bounds.untilLine() >= written
          && (inForce.isEmpty() || inForce.getLast().season() != bounds.season())) {
        inForce.add(bounds);
      }
    }
    return inForce;
  }

  private @Nullable Season season(FormerBounds bounds, long board) {
    Place place = new Place(board, bounds.window());
    Season known = last.get(place);
    if (known == null || known.id() != bounds.season()) {
      known = tx.season(bounds.season());
    }
    return keep(place, known);
  }

  private @Nullable Season covering(LedgerLine line, int window) {
    Place place = new Place(line.board(), window);
    Season known = last.get(place);
    if (known != null && known.covers(line.at())) {
      return known;
    }
    Season found = tx.seasonAt(line.board(), window, line.at());
    return keep(place, found != null ? found : only(place));
  }

  /** Bounds that were moved before they were kept do no harm where a window had one season only. */
  private @Nullable Season only(Place place) {
    List<Season> newest = tx.seasonsBefore(place.board, place.window, Long.MAX_VALUE, 2);
    return newest.size() == 1 ? newest.getFirst() : null;
  }

  private @Nullable Season keep(Place place, @Nullable Season found) {
    if (found != null) {
      last.put(place, found);
    }
    return found;
  }
}
