package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Tells who calls. Runs on the event loop for every request that is not public: it must not block.
 */
@FunctionalInterface
public interface Authenticator {
  /**
   * Null if the request carries no credentials at all.
   *
   * @throws dev.laurel.core.model.RejectedException with UNAUTHENTICATED if it carries wrong ones
   */
  @Nullable Principal authenticate(Exchange exchange);
}
