package dev.laurel.core.store;

import dev.laurel.core.model.Order;
import java.util.List;

/**
 * Ranks as a transaction sees them, for when the index cannot answer. Ties of (score, reached) go
 * by user id as bytes.
 */
public interface RankReads {
  long count(long season);

  /** Entries with a strictly better score. */
  long countBetter(long season, Order order, long score);

  /** Different scores that are strictly better. */
  long countBetterScores(long season, Order order, long score);

  /** Entries before the given place in the one order. */
  long countBefore(long season, Order order, Place place);

  List<Placed> page(long season, Order order, long offset, int limit);

  /** The entries right after the place, nearest first; the place itself need not be taken. */
  List<Placed> after(long season, Order order, Place place, int limit);

  /** The entries right before the place, nearest first. */
  List<Placed> before(long season, Order order, Place place, int limit);

  /** A place in the one order. */
  record Place(long score, long reached, String userId) {}

  /** An entry at its place. */
  record Placed(int user, long score, long reached) {}
}
