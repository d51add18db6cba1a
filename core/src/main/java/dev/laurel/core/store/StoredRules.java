package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * A tenant's points for actions, as they were given.
 *
 * @param body the document, byte for byte what was signed
 * @param signature base64; null if it was not signed
 */
public record StoredRules(
    long tenant,
    long version,
    String body,
    @Nullable String signature,
    String createdBy,
    long createdAt) {}
