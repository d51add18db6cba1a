package dev.laurel.core.events;

import dev.laurel.core.store.Digest;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Where changes are published. Blocking. */
public interface ChangeStream {
  /** Messages of one key stay in order. */
  record Message(String key, byte[] value) {}

  /**
   * The stream's own id, which is another one if it is deleted and made again. Makes it if need be.
   */
  Digest id();

  /**
   * Sends in order.
   *
   * @return whether all are durable there; false if it had to stop before
   */
  boolean send(List<Message> messages, BooleanSupplier stop);
}
