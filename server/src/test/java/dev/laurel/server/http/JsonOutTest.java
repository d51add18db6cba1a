package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.Units;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonOutTest {
  private static final JsonMapper JACKSON = new JsonMapper();

  private static String json(String value) {
    return new JsonOut(0).string(value).toString();
  }

  @Test
  void string_randomText_readsBackWithJackson() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(40); n > 0; n--) {
        int bits = random.nextInt(1, 22);
        int point = random.nextInt(1 << bits);
        if (point <= Character.MAX_CODE_POINT && (point < 0xd800 || point > 0xdfff)) {
          text.appendCodePoint(point);
        }
      }
      String value = text.toString();
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      JsonOut fromBytes = new JsonOut(0).utf8(utf8, 0, utf8.length);
      assertThat(JACKSON.readValue(json(value), String.class)).as("seed %d", seed).isEqualTo(value);
      assertThat(fromBytes.toString()).as("seed %d", seed).isEqualTo(json(value));
    }
  }

  @Test
  void string_everyAsciiCharacter_isEscapedAsJacksonDoes() {
    for (char c = 0; c < 0x7f; c++) {
      String value = "a" + c + "b";
      assertThat(json(value)).isEqualToIgnoringCase(JACKSON.writeValueAsString(value));
    }
  }

  @Test
  void string_loneSurrogates_becomeTheReplacementCharacter() {
    assertThat(json("a\ud800b")).isEqualTo("\"a\ufffdb\"");
    assertThat(json("\udc00\ud800")).isEqualTo("\"\ufffd\ufffd\"");
  }

  @Test
  void number_extremes_areWritten() {
    for (long value :
        new long[] {0, 1, -1, 9, 10, 99, 100, -100, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53}) {
      assertThat(new JsonOut(0).number(value).toString()).isEqualTo(Long.toString(value));
    }
  }

  @Test
  void units_randomValues_areAsUnitsFormatsThem() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      long units = random.nextLong() >> random.nextInt(64);
      int decimals = random.nextInt(Units.MAX_DECIMALS + 1);
      assertThat(new JsonOut(0).units(units, decimals).toString())
          .as("seed %d", seed)
          .isEqualTo(Units.format(units, decimals));
    }
    assertThat(new JsonOut(0).units(Long.MIN_VALUE, 9).toString())
        .isEqualTo(Units.format(Long.MIN_VALUE, 9));
  }

  @Test
  void timestamp_randomInstants_areAsInstantWritesThem() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      long millis = random.nextLong() >> random.nextInt(64);
      assertTimestamp(i % 2 == 0 ? millis : millis / 1000 * 1000, seed);
    }
  }

  @Test
  void timestamp_edges_areAsInstantWritesThem() {
    for (String text :
        List.of(
            "2024-01-15T10:30:00Z",
            "2024-02-29T23:59:59.999Z",
            "2000-02-29T00:00:00.001Z",
            "1900-03-01T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "1969-12-31T23:59:59.999Z",
            "0000-01-01T00:00:00Z",
            "-0001-12-31T23:59:59.999Z",
            "9999-12-31T23:59:59.999Z",
            "+10000-01-01T00:00:00Z")) {
      assertThat(new JsonOut(0).timestamp(Instant.parse(text).toEpochMilli()).toString())
          .isEqualTo("\"" + text + "\"");
    }
    assertTimestamp(Long.MAX_VALUE, 0);
    assertTimestamp(Long.MIN_VALUE, 0);
  }

  private static void assertTimestamp(long millis, long seed) {
    assertThat(new JsonOut(0).timestamp(millis).toString())
        .as("%d, seed %d", millis, seed)
        .isEqualTo("\"" + Instant.ofEpochMilli(millis) + "\"");
  }

  @Test
  void value_nestedValues_haveTheirCommas() {
    JsonOut out = new JsonOut(0);
    byte[] rank = JsonOut.key("rank");
    out.beginObject().name(rank).number(1).name("list").beginArray();
    out.beginObject().endObject().beginArray().endArray().bool(true).nil().string("x");
    out.endArray().name("map").value(Map.of("a", List.of(1, 2L, "b"))).endObject();
    assertThat(out.toString())
        .isEqualTo("{\"rank\":1,\"list\":[{},[],true,null,\"x\"],\"map\":{\"a\":[1,2,\"b\"]}}");
  }
}
