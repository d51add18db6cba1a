package dev.laurel.core.pod;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The common event: what every pod's event becomes.
 *
 * @param eventId null if the pod's events have none; then where the event is in its stream says
 *     whether it was seen
 * @param at epoch milliseconds
 * @param metadata all that was not mapped, as a tree of JSON
 */
public record CommonEvent(
    String podId,
    @Nullable String eventId,
    String uuid,
    String userId,
    BigDecimal score,
    long at,
    Map<String, @Nullable Object> metadata) {}
