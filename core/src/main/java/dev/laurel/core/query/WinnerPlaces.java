package dev.laurel.core.query;

import dev.laurel.core.model.Order;
import dev.laurel.core.model.PrizeTier;
import dev.laurel.core.model.Ties;
import dev.laurel.core.rank.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The places of those who win something, as ranges of the one order. A tier takes neighbours, so
 * its ends are found by a few questions, and any part of a million winners without the others.
 * Lives as long as its ranking; belongs to one thread.
 */
final class WinnerPlaces {
  private final Ranking ranking;
  private final Order order;
  private final Ties ties;
  private final long size;

  /** Ascending, apart from each other. */
  private final List<Range> ranges;

  /** Places from 0; {@code end} is the first one after it. */
  record Range(long begin, long end) {
    long length() {
      return end - begin;
    }
  }

  WinnerPlaces(List<PrizeTier> tiers, Ranking ranking, Order order, Ties ties) {
    this.ranking = ranking;
    this.order = order;
    this.ties = ties;
    this.size = ranking.size();
    this.ranges = size == 0 ? List.of() : merged(tiers.stream().map(this::range).toList());
  }

  private Range range(PrizeTier tier) {
    if (tier.percent() > 0) {
      return new Range(0, endOfTies(Math.max(1, tier.share(size))));
    }
    return ties == Ties.DENSE
        ? new Range(firstWithRank(tier.from()), firstWithRank(tier.to() + 1))
        : new Range(beginOfTies(tier.from()), endOfTies(tier.to()));
  }

  /** The first place whose rank is at least this, where ranks count people. */
  private long beginOfTies(long rank) {
    if (rank > size) {
      return size;
    }
    long place = rank - 1;
    return ties == Ties.EARLIEST_FIRST || rankAt(place) == rank ? place : endOfTies(rank);
  }

  /** After all who share the rank of the one at this place, from 1. */
  private long endOfTies(long place) {
    if (place >= size || ties == Ties.EARLIEST_FIRST) {
      return Math.min(place, size);
    }
    long[] score = new long[1];
    ranking.page(place - 1, 1, (rank, user, found, reached) -> score[0] = found);
    long key = order.key(score[0]);
    return key == Long.MAX_VALUE ? size : ranking.better(order.score(key + 1));
  }

  /** Dense ranks do not tell places: it is searched for. */
  private long firstWithRank(long rank) {
    long low = Math.min(size, rank - 1);
    long high = size;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (rankAt(middle) < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long rankAt(long place) {
    long[] found = new long[1];
    ranking.page(place, 1, (rank, user, score, reached) -> found[0] = rank);
    return found[0];
  }

  private static List<Range> merged(List<Range> ranges) {
    List<Range> merged = new ArrayList<>();
    for (Range range : ranges.stream().sorted(Comparator.comparingLong(Range::begin)).toList()) {
      Range last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && range.begin() <= last.end()) {
        merged.set(merged.size() - 1, new Range(last.begin(), Math.max(last.end(), range.end())));
      } else if (range.length() > 0) {
        merged.add(range);
      }
    }
    return merged;
  }

  /** How many win something. */
  long total() {
    return ranges.stream().mapToLong(Range::length).sum();
  }

  /** The places of some winners, by their number among all of them, from 0. */
  List<Range> part(long offset, int limit) {
    List<Range> part = new ArrayList<>();
    long skip = offset;
    long left = limit;
    for (Range range : ranges) {
      long skipped = Math.min(skip, range.length());
      skip -= skipped;
      long taken = Math.min(left, range.length() - skipped);
      left -= taken;
      if (taken > 0) {
        part.add(new Range(range.begin() + skipped, range.begin() + skipped + taken));
      }
    }
    return part;
  }
}
