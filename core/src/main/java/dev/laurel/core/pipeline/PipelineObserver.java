package dev.laurel.core.pipeline;

/** Hears what the pipeline does, for metrics and logs; called on the committer's thread. */
public interface PipelineObserver {
  /** A batch is durable and visible. */
  void committed(int requests, int lines, long nanos);

  /** A batch could not be stored; its requests were refused, or are tried again one by one. */
  void failed(int requests, Throwable cause);
}
