package dev.laurel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The library that runs inside Redis. Its names carry a hash of its text, so nodes of two versions
 * work beside each other while one replaces the other.
 */
final class Functions {
  /** What it offers. */
  enum Name {
    STATE(true),
    READ(true),
    ADOPT(false),
    APPLY(false),
    STAGE(false),
    SWAP(false),
    TOUCH(false),
    LEASE(false),
    RELEASE(false),
    DROP(false);

    final boolean readOnly;
    final String function;

    Name(boolean readOnly) {
      this.readOnly = readOnly;
      this.function = "laurel_" + name().toLowerCase(Locale.ROOT) + "_" + VERSION;
    }
  }

  private static final String TEXT = text();
  private static final String VERSION = hash(TEXT);

  /** As Redis takes it. */
  static final String LIBRARY = TEXT.replace("VERSION", VERSION);

  private Functions() {}

  private static String text() {
    try (InputStream in = Functions.class.getResourceAsStream("laurel.lua")) {
      if (in == null) {
        throw new IllegalStateException("laurel.lua is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
