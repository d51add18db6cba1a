package dev.laurel.server.hooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Shows a receiver that a message is ours and when it was sent: without the time, a message that
 * somebody kept could be played back for ever.
 */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  static String of(String secret, long timestamp, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
      byte[] hash = mac.doFinal(body.getBytes(StandardCharsets.UTF_8));
      return "sha256=" + HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
