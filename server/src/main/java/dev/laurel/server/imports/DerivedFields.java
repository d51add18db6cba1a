package dev.laurel.server.imports;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What an export says of a row and an import computes anew: a line of an export is imported without
 * it. Everything else of the line stays as it was written, to the byte.
 */
final class DerivedFields {
  static final Set<String> NAMES = Set.of("rank", "prize");
  private static final JsonFactory FACTORY = new JsonFactory();

  private DerivedFields() {}

  /**
   * @return the object without those fields; the text itself if it has none, or is no JSON object
   */
  static byte[] removed(String text) {
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    if (NAMES.stream().noneMatch(name -> text.contains('"' + name + '"'))) {
      return json;
    }
    ByteArrayOutputStream kept = new ByteArrayOutputStream(json.length);
    boolean any = false;
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return json;
      }
      kept.write('{');
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.nextToken();
        parser.skipChildren();
        parser.finishToken();
        int to = (int) parser.currentLocation().getByteOffset();
        if (NAMES.contains(name)) {
          any = true;
          continue;
        }
        if (kept.size() > 1) {
          kept.write(',');
        }
        kept.write(json, from, to - from);
      }
      kept.write('}');
      if (!any || parser.nextToken() != null) {
        return json;
      }
    } catch (JacksonException e) {
      return json; // whoever reads it says what is wrong
    }
    return kept.toByteArray();
  }
}
