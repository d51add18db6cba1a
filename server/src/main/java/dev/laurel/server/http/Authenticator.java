package dev.laurel.server.http;

import dev.laurel.core.access.Principal;
import org.jspecify.annotations.Nullable;

/** Tells who calls, for every request that is not public. */
@FunctionalInterface
public interface Authenticator {
  /**
   * Null if the request carries no credentials at all.
   *
   * @param mayWait false on the event loop, where it must not block
   * @throws dev.laurel.core.model.RejectedException with UNAUTHENTICATED if it carries wrong ones
   * @throws UndecidedException if it would have to wait and may not
   */
  @Nullable Principal authenticate(Exchange exchange, boolean mayWait);
}
