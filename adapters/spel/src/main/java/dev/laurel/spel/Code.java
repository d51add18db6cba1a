package dev.laurel.spel;

import dev.laurel.core.scoring.FeatureValues;
import org.jspecify.annotations.Nullable;

/** A piece of a compiled expression; null if an optional feature was not sent. */
interface Code<T> {
  @Nullable T run(FeatureValues values);

  /** A piece that always has a value, or fails with a refusal. */
  interface Strict<T> extends Code<T> {
    @Override
    T run(FeatureValues values);
  }
}
