package dev.laurel.core.pod;

/** Makes the topics that events are sent to. Blocking. Thread-safe. */
@FunctionalInterface
public interface TopicMaker {
  /** For a platform without streams. */
  TopicMaker NONE = topic -> {};

  /**
   * Makes the topic unless it is there, or unless this node may not: then somebody else makes it.
   *
   * @throws dev.laurel.core.model.RejectedException if the streams cannot be reached now
   */
  void ensure(String topic);
}
