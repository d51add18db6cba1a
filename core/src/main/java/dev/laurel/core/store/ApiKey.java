package dev.laurel.core.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored key: the hash only, never the key.
 *
 * @param tenant the tenant's number; the platform admin's keys belong to the default tenant and may
 *     name another one
 * @param hint the first characters of the key, to recognise it by
 * @param hash SHA-256 of the whole key, in hexadecimal
 */
public record ApiKey(
    long id,
    long tenant,
    String name,
    Set<Scope> scopes,
    String hint,
    String hash,
    String createdBy,
    long createdAt,
    @Nullable Long revokedAt) {

  /** What a key may do. */
  public enum Scope {
    READ,
    INGEST,
    MANAGE,
    ADMIN,

    /** Reads the metrics, which name every tenant and board: only the platform admin gives it. */
    METRICS
  }
}
