package dev.laurel.core.board;

import dev.laurel.core.model.Bounds;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Rules;
import dev.laurel.core.model.Ties;
import dev.laurel.core.model.Units;
import dev.laurel.core.model.Update;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a caller says of a board's rules; what is null gets the contract's default.
 *
 * @param min the lower bound as it was written; 0 by default
 * @param max the upper bound as it was written; what fits by default
 */
public record RulesDefinition(
    @Nullable Order order,
    @Nullable Ties ties,
    @Nullable Update update,
    @Nullable Integer decimals,
    @Nullable String min,
    @Nullable String max) {

  public static final int DEFAULT_DECIMALS = 6;
  public static final RulesDefinition NONE =
      new RulesDefinition(null, null, null, null, null, null);

  /** With other defaults, for a surface that has its own. */
  public RulesDefinition orElse(
      @Nullable Ties otherTies,
      @Nullable Update otherUpdate,
      @Nullable Integer otherDecimals,
      @Nullable String otherMax) {
    return new RulesDefinition(
        order,
        ties == null ? otherTies : ties,
        update == null ? otherUpdate : update,
        decimals == null ? otherDecimals : decimals,
        min,
        max == null ? otherMax : max);
  }

  public int places() {
    return decimals == null ? DEFAULT_DECIMALS : decimals;
  }

  Rules toRules() {
    int places = places();
    if (places < 0 || places > Units.MAX_DECIMALS) {
      throw Rejection.invalid("decimals", places, "0.." + Units.MAX_DECIMALS).asException();
    }
    return new Rules(
        order == null ? Order.HIGHEST_FIRST : order,
        ties == null ? Ties.EARLIEST_FIRST : ties,
        update == null ? Update.LATEST : update,
        places,
        bounds(places));
  }

  private Bounds bounds(int places) {
    long low = bound("bounds.min", min, places, 0);
    long high = bound("bounds.max", max, places, Long.MAX_VALUE);
    if (low > high) {
      throw Rejection.invalid("bounds.min", min == null ? "0" : min, "at most bounds.max")
          .asException();
    }
    return new Bounds(low, high);
  }

  private static long bound(String field, @Nullable String text, int places, long otherwise) {
    if (text == null) {
      return otherwise;
    }
    OptionalLong units = Units.parse(text, places);
    if (units.isEmpty()) {
      throw Rejection.invalid(
              field, text, "a number that fits 64 bits with " + places + " decimals")
          .asException();
    }
    return units.getAsLong();
  }
}
