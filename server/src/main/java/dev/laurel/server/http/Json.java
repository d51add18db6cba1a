package dev.laurel.server.http;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON that strangers wrote. Refused are: duplicate names, anything after the value, NaN and
 * Infinity, invalid UTF-8, and sizes nobody needs. Numbers are kept as written, because a double
 * cannot hold every score.
 */
public final class Json {
  static final int MAX_DEPTH = 32;
  static final int MAX_NUMBER = 64;
  static final int MAX_STRING = 65_536;
  static final int MAX_NAME = 128;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER)
                  .maxStringLength(MAX_STRING)
                  .maxNameLength(MAX_NAME)
                  .build())
          .build();

  private Json() {}

  /** A number exactly as it was written. */
  record NumberText(String text) {}

  /** An array and the text it was read from. */
  record Elements(List<@Nullable Object> values, int from, int to) {}

  /** A body that must be one object. */
  public static Fields object(byte[] body) {
    if (read(body) instanceof Fields fields) {
      return fields;
    }
    throw Rejection.invalid("body", "not an object", "a JSON object").asException();
  }

  /**
   * A body that is one object or an array of them.
   *
   * @param objects null where an element is not an object
   */
  public record OneOrMany(boolean many, List<@Nullable Fields> objects) {}

  public static OneOrMany oneOrMany(byte[] body, int max) {
    Object value = read(body);
    if (value instanceof Fields fields) {
      return new OneOrMany(false, List.of(fields));
    }
    if (!(value instanceof Elements elements)
        || elements.values().isEmpty()
        || elements.values().size() > max) {
      throw Rejection.invalid("body", "something else", "an object, or an array of 1.." + max)
          .asException();
    }
    List<@Nullable Fields> objects = new ArrayList<>(elements.values().size());
    for (Object element : elements.values()) {
      objects.add(element instanceof Fields fields ? fields : null);
    }
    return new OneOrMany(true, objects);
  }

  /**
   * Any value: null, Boolean, String, {@link NumberText}, {@link Elements} or {@link Fields}.
   *
   * @throws RejectedException with MALFORMED_JSON
   */
  static @Nullable Object read(byte[] body) {
    checkUtf8(body);
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), body)) {
      if (parser.nextToken() == null) {
        throw malformed("the body is empty");
      }
      Object value = value(parser, body, "");
      if (parser.nextToken() != null) {
        throw malformed("something follows the JSON value");
      }
      return value;
    } catch (JacksonException e) {
      throw malformed(explain(e));
    }
  }

  private static @Nullable Object value(JsonParser parser, byte[] body, String path) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(parser.getString());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case START_OBJECT -> fields(parser, body, path);
      case START_ARRAY -> elements(parser, body, path);
      default -> throw malformed("unexpected " + token);
    };
  }

  private static Fields fields(JsonParser parser, byte[] body, String path) {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      values.put(name, value(parser, body, path.isEmpty() ? name : path + "." + name));
    }
    return new Fields(path, values, body, from, (int) parser.currentLocation().getByteOffset());
  }

  private static Elements elements(JsonParser parser, byte[] body, String path) {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    List<@Nullable Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(value(parser, body, path + "[" + values.size() + "]"));
    }
    return new Elements(values, from, (int) parser.currentLocation().getByteOffset());
  }

  /** Jackson repairs or passes some invalid UTF-8; two readers of the same bytes must agree. */
  private static void checkUtf8(byte[] body) {
    int ascii = 0;
    while (ascii < body.length && body[ascii] >= 0) {
      ascii++;
    }
    if (ascii == body.length) {
      return;
    }
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(body, ascii, body.length - ascii);
    CharBuffer discard = CharBuffer.allocate(Math.min(body.length - ascii, 8192) + 1);
    CoderResult result;
    do {
      discard.clear();
      result = decoder.decode(in, discard, true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw malformed("invalid UTF-8 at byte " + in.position());
    }
  }

  private static String explain(JacksonException e) {
    // Not its advice to those who use the library.
    String message =
        String.valueOf(e.getOriginalMessage())
            .replaceAll("(: enable|, from) `[^`]*`( to allow)?", "");
    var at = e.getLocation();
    return at == null
        ? message
        : message + " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  private static RejectedException malformed(String why) {
    return Rejection.expectation(ErrorCode.MALFORMED_JSON, "body", why, "strict JSON in UTF-8")
        .asException();
  }
}
