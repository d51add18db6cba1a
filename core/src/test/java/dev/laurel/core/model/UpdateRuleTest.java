package dev.laurel.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.Seeds;
import dev.laurel.core.model.UpdateRule.Result;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule step by step, against what the whole history says. */
class UpdateRuleTest {
  private static final Bounds ANY = new Bounds(Long.MIN_VALUE, Long.MAX_VALUE);

  /** Something that happened: a submission, or a deletion. */
  private record Event(boolean deletion, long value, long at, long line, String metadata) {}

  @ParameterizedTest
  @CsvSource({
    "HIGHEST_FIRST, BEST",
    "LOWEST_FIRST, BEST",
    "HIGHEST_FIRST, LATEST",
    "HIGHEST_FIRST, SUM",
    "LOWEST_FIRST, SUM",
  })
  void apply_randomHistory_isWhatTheHistorySays(Order order, Update mode) {
    Seeds.withSeed(
        random -> {
          for (int round = 0; round < 3_000; round++) {
            Bounds bounds = mode == Update.SUM ? randomBounds(random) : ANY;
            List<Event> accepted = new ArrayList<>();
            Entry entry = null;
            for (int line = 1; line <= 20; line++) {
              Event event = randomEvent(random, line, bounds, mode);
              if (event.deletion()) {
                if (entry != null && !entry.deleted()) {
                  entry = UpdateRule.delete(entry, event.at(), line);
                  accepted.add(event);
                }
              } else {
                Result result =
                    UpdateRule.apply(
                        order,
                        bounds,
                        entry,
                        mode,
                        event.value(),
                        event.at(),
                        line,
                        event.metadata());
                if (result instanceof Result.Applied applied) {
                  accepted.add(event);
                  boolean changedScore =
                      entry != null && !entry.deleted() && entry.score() != applied.entry().score();
                  assertThat(applied.effective() || !changedScore).isTrue();
                  entry = applied.entry();
                } else {
                  assertThat(mode).isEqualTo(Update.SUM);
                  assertThat(outOfBounds(accepted, event, bounds)).isTrue();
                }
              }
              check(order, mode, bounds, accepted, entry);
            }
          }
        });
  }

  /** Everything about the entry, from the list of all that was accepted. */
  private static void check(
      Order order, Update mode, Bounds bounds, List<Event> history, @Nullable Entry entry) {
    if (history.isEmpty()) {
      assertThat(entry).isNull();
      return;
    }
    assertThat(entry).isNotNull();
    if (entry == null) {
      return;
    }
    long newest = history.stream().mapToLong(Event::at).max().orElseThrow();
    assertThat(entry.seen()).as("seen of %s", history).isEqualTo(newest);
    assertThat(entry.last()).isEqualTo(history.getLast().line());

    List<Event> effective = mode == Update.LATEST ? notOlder(history) : history;
    int lastDeletion = -1;
    for (int i = 0; i < effective.size(); i++) {
      lastDeletion = effective.get(i).deletion() ? i : lastDeletion;
    }
    List<Event> alive = effective.subList(lastDeletion + 1, effective.size());
    assertThat(entry.deleted()).isEqualTo(alive.isEmpty());
    if (alive.isEmpty()) {
      assertThat(entry.metadata()).isNull();
      assertThat(entry.score()).isZero();
      return;
    }
    Event giver = alive.getLast();
    long reached;
    long score;
    switch (mode) {
      case BEST -> {
        score =
            order == Order.HIGHEST_FIRST
                ? alive.stream().mapToLong(Event::value).max().orElseThrow()
                : alive.stream().mapToLong(Event::value).min().orElseThrow();
        List<Event> best = alive.stream().filter(event -> event.value() == score).toList();
        reached = best.stream().mapToLong(Event::at).min().orElseThrow();
        giver = best.getFirst();
      }
      case LATEST -> {
        score = giver.value();
        int run = alive.size() - 1;
        while (run > 0 && alive.get(run - 1).value() == score) {
          run--;
        }
        reached = alive.get(run).at();
      }
      case SUM -> {
        score = alive.stream().mapToLong(Event::value).sum();
        Event first = alive.getFirst();
        reached =
            alive.stream()
                .filter(event -> event.value() != 0 || event.equals(first))
                .mapToLong(Event::at)
                .max()
                .orElseThrow();
        assertThat(bounds.contains(score)).isTrue();
      }
      default -> throw new AssertionError(mode);
    }
    assertThat(entry.score()).as("score of %s", history).isEqualTo(score);
    assertThat(entry.reached()).as("reached of %s", history).isEqualTo(reached);
    assertThat(entry.line()).isEqualTo(giver.line());
    assertThat(entry.metadata()).isEqualTo(giver.metadata());
  }

  /** Events that were not older than all before them; a deletion counts whenever it comes. */
  private static List<Event> notOlder(List<Event> history) {
    List<Event> result = new ArrayList<>();
    long newest = Long.MIN_VALUE;
    for (Event event : history) {
      if (event.deletion() || event.at() >= newest) {
        result.add(event);
      }
      newest = Math.max(newest, event.at());
    }
    return result;
  }

  private static boolean outOfBounds(List<Event> history, Event next, Bounds bounds) {
    BigInteger sum = BigInteger.ZERO;
    for (Event event : history) {
      sum = event.deletion() ? BigInteger.ZERO : sum.add(BigInteger.valueOf(event.value()));
    }
    sum = sum.add(BigInteger.valueOf(next.value()));
    return sum.compareTo(BigInteger.valueOf(bounds.min())) < 0
        || sum.compareTo(BigInteger.valueOf(bounds.max())) > 0;
  }

  private static Event randomEvent(Random random, int line, Bounds bounds, Update mode) {
    long value =
        switch (random.nextInt(8)) {
          case 0 -> 0;
          case 1 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
          case 2 -> random.nextLong();
          case 3 -> random.nextBoolean() ? bounds.min() : bounds.max();
          default -> random.nextInt(7) - 3;
        };
    boolean deletion = random.nextInt(8) == 0;
    String metadata = "{\"" + mode + "\":" + line + "}";
    return new Event(deletion, value, random.nextInt(12), line, metadata);
  }

  private static Bounds randomBounds(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> ANY;
      case 1 -> new Bounds(0, 10);
      default -> new Bounds(-5, Long.MAX_VALUE);
    };
  }

  @Test
  void apply_sumBeyondALong_isOutOfBounds() {
    Entry entry = new Entry(Long.MAX_VALUE, 1, 1, 1, 1, false, null);
    assertThat(UpdateRule.apply(Order.HIGHEST_FIRST, ANY, entry, Update.SUM, 1, 2, 2, null))
        .isEqualTo(new Result.OutOfBounds());
    Entry low = new Entry(Long.MIN_VALUE, 1, 1, 1, 1, false, null);
    assertThat(UpdateRule.apply(Order.HIGHEST_FIRST, ANY, low, Update.SUM, -1, 2, 2, null))
        .isEqualTo(new Result.OutOfBounds());
  }

  @Test
  void apply_latestOlderThanADeletion_staysDeleted() {
    Entry tombstone = UpdateRule.delete(new Entry(5, 10, 10, 1, 1, false, "{}"), 20, 2);
    assertThat(UpdateRule.apply(Order.HIGHEST_FIRST, ANY, tombstone, Update.LATEST, 9, 19, 3, "{}"))
        .isEqualTo(new Result.Applied(tombstone.withLast(3), false));
    assertThat(UpdateRule.apply(Order.HIGHEST_FIRST, ANY, tombstone, Update.LATEST, 9, 20, 3, "{}"))
        .isEqualTo(new Result.Applied(new Entry(9, 20, 20, 3, 3, false, "{}"), true));
  }

  @Test
  void apply_bestEqualButEarlier_takesTheEarlierTimeAndKeepsItsLine() {
    Entry entry = new Entry(5, 10, 12, 1, 1, false, "{}");
    assertThat(UpdateRule.apply(Order.HIGHEST_FIRST, ANY, entry, Update.BEST, 5, 7, 3, null))
        .isEqualTo(new Result.Applied(new Entry(5, 7, 12, 1, 3, false, "{}"), false));
  }
}
