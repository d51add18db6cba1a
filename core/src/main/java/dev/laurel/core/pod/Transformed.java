package dev.laurel.core.pod;

import dev.laurel.core.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a pod's event. */
public sealed interface Transformed {
  /** The version of the schema it was read by; null if none was found. */
  @Nullable String schemaVersion();

  /** It is a common event now. */
  record Done(CommonEvent event, String schemaVersion) implements Transformed {}

  /**
   * @param errors everything that is wrong with it, at least one
   */
  record Failed(List<Rejection> errors, @Nullable String schemaVersion) implements Transformed {}
}
