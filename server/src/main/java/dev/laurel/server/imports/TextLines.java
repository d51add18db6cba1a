package dev.laurel.server.imports;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text in UTF-8, however long the text is: a line that is longer than any record can
 * be is skipped, not kept. Ends with LF or CRLF; a byte order mark is dropped. Belongs to one
 * thread.
 */
final class TextLines {
  static final int MAX_BYTES = 65_536;

  private final InputStream in;
  private final byte[] buffer = new byte[65_536];
  private int at;
  private int end;
  private byte[] line = new byte[256];
  private long number;

  /**
   * @param fault why there is no text; null if there is one
   */
  record Line(long number, String text, @Nullable String fault) {}

  TextLines(InputStream in) {
    this.in = in;
  }

  /** Null at the end. */
  @Nullable Line next() throws IOException {
    int length = 0;
    boolean any = false;
    boolean tooLong = false;
    while (fill()) {
      any = true;
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      int count = at - from;
      tooLong |= length + count > MAX_BYTES;
      if (!tooLong) {
        if (length + count > line.length) {
          line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
        }
        System.arraycopy(buffer, from, line, length, count);
        length += count;
      }
      if (at < end) {
        at++;
        break;
      }
    }
    if (!any) {
      return null;
    }
    number++;
    return tooLong ? new Line(number, "", "longer than " + MAX_BYTES + " bytes") : decode(length);
  }

  private Line decode(int length) {
    int to = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, to)).toString();
      boolean marked = number == 1 && text.startsWith("\uFEFF");
      return new Line(number, marked ? text.substring(1) : text, null);
    } catch (CharacterCodingException e) {
      return new Line(number, "", "not UTF-8");
    }
  }

  private boolean fill() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer));
    }
    return at < end;
  }
}
