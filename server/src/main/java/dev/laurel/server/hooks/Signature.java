package dev.laurel.server.hooks;

import dev.laurel.core.store.Webhook;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Shows a receiver that a message is ours and when it was sent: without the time, a message that
 * somebody kept could be played back for ever.
 */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private Signature() {}

  /** One for each secret in force, the newest first, with commas between them. */
  static String of(Webhook.Secrets secrets, long timestamp, String body) {
    return secrets.at(1000 * timestamp).stream()
        .map(secret -> of(secret, timestamp, body))
        .collect(Collectors.joining(","));
  }

  private static String of(String secret, long timestamp, String body) {
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
