package dev.laurel.server.http;

import dev.laurel.core.model.Units;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON into a growing array, for the routes whose time is mostly their answer. It places the
 * commas; that names and values alternate is up to the caller. Not thread-safe.
 */
public final class JsonOut {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MIN_LONG =
      Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);

  /** For each ASCII character: 0 as it is, 'u' as \\u00xx, else the letter after the backslash. */
  private static final byte[] ESCAPES = new byte[128];

  static {
    Arrays.fill(ESCAPES, 0, 0x20, (byte) 'u');
    ESCAPES['\b'] = 'b';
    ESCAPES['\t'] = 't';
    ESCAPES['\n'] = 'n';
    ESCAPES['\f'] = 'f';
    ESCAPES['\r'] = 'r';
    ESCAPES['"'] = '"';
    ESCAPES['\\'] = '\\';
    ESCAPES[0x7f] = 'u';
  }

  private byte[] bytes;
  private int length;
  private boolean comma;

  public JsonOut(int expected) {
    bytes = new byte[Math.max(16, expected)];
  }

  /** A name made ready once, for {@link #name(byte[])}. */
  public static byte[] key(String name) {
    return new JsonOut(name.length() + 8).name(name).toByteArray();
  }

  public JsonOut beginObject() {
    return open('{');
  }

  public JsonOut endObject() {
    return close('}');
  }

  public JsonOut beginArray() {
    return open('[');
  }

  public JsonOut endArray() {
    return close(']');
  }

  public JsonOut name(byte[] key) {
    separate(key.length);
    System.arraycopy(key, 0, bytes, length, key.length);
    length += key.length;
    comma = false;
    return this;
  }

  public JsonOut name(String name) {
    string(name);
    reserve(1);
    bytes[length++] = ':';
    comma = false;
    return this;
  }

  public JsonOut string(String value) {
    int n = value.length();
    separate(n + 2);
    bytes[length++] = '"';
    for (int i = 0; i < n; i++) {
      char c = value.charAt(i);
      // Room for this character's worst case and one byte for each that is left.
      reserve(n - i + 6);
      if (c < 0x80) {
        ascii((byte) c);
      } else if (c < 0x800) {
        bytes[length++] = (byte) (0xc0 | c >> 6);
        bytes[length++] = (byte) (0x80 | (c & 0x3f));
      } else if (!Character.isSurrogate(c)) {
        three(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < n
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        int point = Character.toCodePoint(c, value.charAt(++i));
        bytes[length++] = (byte) (0xf0 | point >> 18);
        bytes[length++] = (byte) (0x80 | (point >> 12 & 0x3f));
        bytes[length++] = (byte) (0x80 | (point >> 6 & 0x3f));
        bytes[length++] = (byte) (0x80 | (point & 0x3f));
      } else {
        three('\uFFFD');
      }
    }
    reserve(1);
    bytes[length++] = '"';
    return this;
  }

  /** A string whose UTF-8 bytes are at hand; they must be valid. */
  public JsonOut utf8(byte[] source, int from, int count) {
    separate(count + 2);
    bytes[length++] = '"';
    for (int i = 0; i < count; i++) {
      byte b = source[from + i];
      reserve(count - i + 6);
      if (b >= 0) {
        ascii(b);
      } else {
        bytes[length++] = b;
      }
    }
    reserve(1);
    bytes[length++] = '"';
    return this;
  }

  public JsonOut number(long value) {
    separate(20);
    digits(value);
    return this;
  }

  /** A score: the shortest number for it, as {@link Units#format} writes it. */
  public JsonOut units(long units, int decimals) {
    separate(32);
    if (decimals == 0) {
      digits(units);
      return this;
    }
    long power = 1;
    for (int i = 0; i < decimals; i++) {
      power *= 10;
    }
    long whole = units / power;
    long fraction = Math.abs(units % power);
    if (whole == 0 && units < 0) {
      bytes[length++] = '-';
    }
    digits(whole);
    if (fraction != 0) {
      bytes[length++] = '.';
      for (long p = power / 10; p > 0 && fraction != 0; p /= 10) {
        bytes[length++] = (byte) ('0' + fraction / p);
        fraction %= p;
      }
    }
    return this;
  }

  public JsonOut bool(boolean value) {
    return raw(value ? "true" : "false");
  }

  public JsonOut nil() {
    return raw("null");
  }

  /** An instant in ISO 8601, UTC, as {@link java.time.Instant#toString} writes it. */
  public JsonOut timestamp(long epochMillis) {
    separate(40);
    bytes[length++] = '"';
    length = Timestamps.write(bytes, length, epochMillis);
    bytes[length++] = '"';
    return this;
  }

  /** JSON that was written elsewhere, as one value. */
  public JsonOut raw(byte[] json) {
    separate(json.length);
    System.arraycopy(json, 0, bytes, length, json.length);
    length += json.length;
    return this;
  }

  public JsonOut raw(String json) {
    return raw(json.getBytes(StandardCharsets.UTF_8));
  }

  /** Strings, numbers, booleans, lists and maps: for the cold answers that are built as values. */
  public JsonOut value(@Nullable Object value) {
    switch (value) {
      case null -> nil();
      case String text -> string(text);
      case Long number -> number(number);
      case Integer number -> number(number);
      case Short number -> number(number);
      case Byte number -> number(number);
      case BigInteger number -> raw(number.toString());
      case BigDecimal number -> raw(text(number));
      case Double number when Double.isFinite(number) -> raw(number.toString());
      case Boolean flag -> bool(flag);
      case Enum<?> constant -> string(constant.name());
      case Map<?, ?> map -> {
        beginObject();
        map.forEach((k, v) -> name(String.valueOf(k)).value(v));
        endObject();
      }
      case Iterable<?> list -> {
        beginArray();
        list.forEach(this::value);
        endArray();
      }
      default -> string(value.toString());
    }
    return this;
  }

  /** Without the digits of 1e999999999. */
  private static String text(BigDecimal number) {
    return Math.abs((long) number.scale()) <= 64 ? number.toPlainString() : number.toString();
  }

  public int length() {
    return length;
  }

  /** The array itself, of which the first {@link #length} bytes count. */
  byte[] array() {
    return bytes;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private JsonOut open(char bracket) {
    separate(1);
    bytes[length++] = (byte) bracket;
    comma = false;
    return this;
  }

  private JsonOut close(char bracket) {
    reserve(1);
    bytes[length++] = (byte) bracket;
    comma = true;
    return this;
  }

  /** Before every value: its comma, and room for it. */
  private void separate(int room) {
    reserve(room + 1);
    if (comma) {
      bytes[length++] = ',';
    }
    comma = true;
  }

  private void reserve(int room) {
    if (bytes.length - length < room) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, room)));
    }
  }

  private void ascii(byte c) {
    byte escape = ESCAPES[c];
    if (escape == 0) {
      bytes[length++] = c;
      return;
    }
    bytes[length++] = '\\';
    bytes[length++] = escape;
    if (escape == 'u') {
      bytes[length++] = '0';
      bytes[length++] = '0';
      bytes[length++] = HEX[c >> 4];
      bytes[length++] = HEX[c & 0xf];
    }
  }

  private void three(char c) {
    bytes[length++] = (byte) (0xe0 | c >> 12);
    bytes[length++] = (byte) (0x80 | (c >> 6 & 0x3f));
    bytes[length++] = (byte) (0x80 | (c & 0x3f));
  }

  private void digits(long value) {
    if (value == Long.MIN_VALUE) {
      System.arraycopy(MIN_LONG, 0, bytes, length, MIN_LONG.length);
      length += MIN_LONG.length;
      return;
    }
    if (value < 0) {
      bytes[length++] = '-';
      value = -value;
    }
    int count = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      count++;
    }
    length += count;
    for (int at = length - 1; count > 0; count--, at--) {
      bytes[at] = (byte) ('0' + value % 10);
      value /= 10;
    }
  }
}
