package dev.laurel.core.repair;

/** Hears how far a check is. To stop it, throws a CancellationException. */
@FunctionalInterface
public interface Progress {
  void at(long done, long total);
}
