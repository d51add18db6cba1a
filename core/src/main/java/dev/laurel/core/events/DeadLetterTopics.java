package dev.laurel.core.events;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where dead letters are. Blocking. Thread-safe. */
public interface DeadLetterTopics {
  /** For a platform without streams. */
  DeadLetterTopics NONE =
      new DeadLetterTopics() {
        @Override
        public Page read(
            Collection<String> topics,
            DeadLetter.@Nullable Place after,
            Predicate<DeadLetter> filter,
            int limit) {
          return new Page(List.of(), null);
        }

        @Override
        public List<DeadLetter> find(Collection<DeadLetter.Place> places) {
          return List.of();
        }

        @Override
        public void resend(Collection<DeadLetter> letters) {
          if (!letters.isEmpty()) {
            throw new IllegalStateException("there are no streams");
          }
        }
      };

  /**
   * @param next where to go on; null at the end
   */
  record Page(List<DeadLetter> letters, DeadLetter.@Nullable Place next) {}

  /**
   * Those that the filter takes, by place.
   *
   * @param topics whose dead letters are meant
   * @param after where the last page ended; null for the first one
   */
  Page read(
      Collection<String> topics,
      DeadLetter.@Nullable Place after,
      Predicate<DeadLetter> filter,
      int limit);

  /** Those of the letters that are there. */
  List<DeadLetter> find(Collection<DeadLetter.Place> places);

  /** Puts the events to the end of the topics that they came from; returns when they are there. */
  void resend(Collection<DeadLetter> letters);
}
