package dev.laurel.core.query;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A place in a season to continue after. It names the place in the order, not a number of rows, so
 * that rows which come or go above it make no row appear twice or never.
 *
 * @param user 0 if only an archive knew the user, who was erased since
 * @param position where the row stood: in ranks that were written down it stands there for good,
 *     whatever its user is called by now
 */
public record Cursor(long season, long score, long reached, int user, long position) {
  private static final int LENGTH = 8 + 8 + 8 + 4 + 8;

  /** Opaque and safe in a URL. */
  public String encode() {
    ByteBuffer buffer = ByteBuffer.allocate(LENGTH + 4);
    buffer.putLong(season).putLong(score).putLong(reached).putInt(user).putLong(position);
    buffer.putInt(checksum(buffer.array()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(buffer.array());
  }

  /** Null if it is not one of ours. */
  public static @Nullable Cursor decode(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (bytes.length != LENGTH + 4) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Cursor cursor =
        new Cursor(
            buffer.getLong(),
            buffer.getLong(),
            buffer.getLong(),
            buffer.getInt(),
            buffer.getLong());
    return buffer.getInt() == checksum(bytes) ? cursor : null;
  }

  /** Against typing mistakes; a made-up cursor harms nobody, it is only a place. */
  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, LENGTH);
    return (int) crc.getValue();
  }
}
