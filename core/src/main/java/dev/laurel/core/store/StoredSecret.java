package dev.laurel.core.store;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * A secret of 256 bits that the nodes of a store share, and that survives a restart. The first who
 * asks for it makes it. For what must not be made up from outside; who reads the database knows it.
 */
public final class StoredSecret {
  private static final int NUMBERS = 4;

  private StoredSecret() {}

  /** Blocks. */
  public static byte[] of(Store store, String name) {
    SecureRandom random = new SecureRandom();
    ByteBuffer secret = ByteBuffer.allocate(NUMBERS * Long.BYTES);
    store.write(
        tx -> {
          secret.clear();
          for (int i = 0; i < NUMBERS; i++) {
            secret.putLong(tx.keep(name + "-" + i, random.nextLong()));
          }
          return true;
        });
    return secret.array();
  }
}
