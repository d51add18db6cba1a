package dev.laurel.core.events;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.pipeline.Outcome;
import java.util.Map;
import java.util.Set;

/** Hears what a source does, for metrics and logs; called on the source's thread. */
public interface SourceObserver {
  /**
   * An event is committed and visible.
   *
   * @param sentAt when it was written to its stream, in epoch milliseconds
   */
  void taken(String topic, Outcome.Effect effect, long sentAt);

  /** An event was refused, and is a dead letter now. */
  void deadLetter(String topic, ErrorCode code);

  /** How many events wait in each topic, as far as this node reads them. */
  void lag(Map<String, Long> byTopic);

  /**
   * The topics that are named as a pod's are, and whose pod nobody registered or has no schema in
   * use; not read.
   */
  void unregistered(Set<String> topics);

  /** How many partitions of each topic wait alone, for a reason that is not an event's own. */
  void held(Map<String, Integer> byTopic);

  /** Something could not be done and is tried again; events wait meanwhile. */
  void waiting(String why);

  void failed(String doing, Throwable cause);
}
