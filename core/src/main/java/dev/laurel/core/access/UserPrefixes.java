package dev.laurel.core.access;

import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.store.Issuer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** What the ids of an issuer's users begin with, so that no two issuers mean the same user. */
final class UserPrefixes {
  private static final int MAX_LENGTH = 32;
  private static final int HASH_BYTES = 4;

  private UserPrefixes() {}

  /**
   * None for the first issuer of a tenant, and the same for each audience of one issuer; else one
   * that follows from the issuer's name, so it is the same when it is set up again.
   */
  static String byDefault(Issuer wanted, List<Issuer> ofTenant) {
    for (Issuer other : ofTenant) {
      if (other.issuer().equals(wanted.issuer())) {
        return other.userPrefix();
      }
    }
    return ofTenant.isEmpty() ? "" : hash(wanted.issuer()) + ":";
  }

  static void requireWellFormed(String prefix) {
    if (prefix.codePointCount(0, prefix.length()) > MAX_LENGTH || !UserIds.isPrintable(prefix)) {
      throw Rejection.invalid(
              "userPrefix", prefix, "at most " + MAX_LENGTH + " characters, none of them control")
          .asException();
    }
  }

  /** Neither may begin with the other, or two subjects could be one user. */
  static void require(String prefix, List<Issuer> ofTenant) {
    for (Issuer other : ofTenant) {
      String taken = other.userPrefix();
      if (!prefix.isEmpty()
          && !taken.isEmpty()
          && !prefix.equals(taken)
          && (prefix.startsWith(taken) || taken.startsWith(prefix))) {
        throw Rejection.invalid(
                "userPrefix", prefix, "the same as that of another issuer, or one of its own")
            .asException();
      }
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
