package dev.laurel.core.time;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that says when it is in doubt. To whoever does not ask, it is the earliest time. */
public interface MomentSource extends InstantSource {
  Moment moment();

  @Override
  default Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  default long millis() {
    return moment().earliest();
  }

  /** A clock that is believed, unless it says itself that it is in doubt. */
  static MomentSource of(InstantSource clock) {
    return clock instanceof MomentSource source ? source : () -> Moment.of(clock.millis());
  }
}
