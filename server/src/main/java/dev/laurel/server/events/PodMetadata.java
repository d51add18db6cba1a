package dev.laurel.server.events;

import dev.laurel.core.pipeline.Validation;
import dev.laurel.server.http.JsonOut;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pod's event has beside its score. A pod did not choose to send metadata, so too much of it
 * is no reason to refuse the score: fields that fit are kept, in their order, and {@code
 * _truncated} says that there were more.
 */
public final class PodMetadata {
  private static final String MARK = "\"_truncated\":true";

  private PodMetadata() {}

  /** Null if there is none. */
  public static @Nullable String write(Map<String, @Nullable Object> metadata) {
    if (metadata.isEmpty()) {
      return null;
    }
    String whole = new JsonOut(256).value(metadata).toString();
    if (whole.length() <= Validation.MAX_METADATA_BYTES / 4) {
      return whole;
    }
    int left = Validation.MAX_METADATA_BYTES - 2 - MARK.length();
    boolean cut = false;
    JsonOut out = new JsonOut(Validation.MAX_METADATA_BYTES);
    out.beginObject();
    for (Map.Entry<String, @Nullable Object> field : metadata.entrySet()) {
      JsonOut one = new JsonOut(64);
      one.beginObject().name(field.getKey()).value(field.getValue()).endObject();
      // Its braces are as long as a comma and one more.
      if (one.length() > left) {
        cut = true;
      } else {
        out.name(field.getKey()).value(field.getValue());
        left -= one.length();
      }
    }
    if (cut) {
      out.name("_truncated").bool(true);
    }
    return out.endObject().toString();
  }
}
