package dev.laurel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who was erased, and is another one by name since.
 *
 * @param id what the user is called now
 * @param former {@link #digest} of the id of before; null if it was not kept
 * @param revision the change of the configuration that it was: whatever was read before it has the
 *     id of before
 */
public record ErasedUser(long tenant, int user, String id, @Nullable Digest former, long revision) {
  /**
   * What is kept of an id that was erased. Nobody can read the id from it; a guess can be tried.
   */
  public static Digest digest(long tenant, String id) {
    return Digest.of("erased", Long.toString(tenant), id);
  }
}
