package dev.laurel.core.pipeline;

/** Hears what the pipeline does, for metrics and logs; called on the committer's thread. */
public interface PipelineObserver {
  /** A batch is durable and visible. */
  void committed(int requests, int lines, long nanos);

  /** So many lines of a batch are about this board, by number. */
  default void wrote(long board, int lines) {}

  /** A request was refused at once, as the store is known to be away; called on any thread. */
  default void refused() {}

  /** A batch could not be stored; its requests were refused, or are tried again one by one. */
  void failed(int requests, Throwable cause);
}
