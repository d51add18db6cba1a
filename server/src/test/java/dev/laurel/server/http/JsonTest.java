package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class JsonTest {
  enum Mode {
    BEST,
    LATEST
  }

  private static Fields parse(String json) {
    return Json.object(json.getBytes(StandardCharsets.UTF_8));
  }

  private static Rejection rejection(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return Objects.requireNonNull(catchThrowableOfType(RejectedException.class, call)).rejection();
  }

  private static void assertMalformed(byte[] body) {
    Rejection rejection = rejection(() -> Json.object(body));
    assertThat(rejection.code()).isEqualTo(ErrorCode.MALFORMED_JSON);
    // What the library would have its users do is none of a caller's business.
    assertThat(rejection.message()).doesNotContain("`").doesNotContain("Feature.");
  }

  @Test
  void object_everyKind_isRead() {
    Fields fields =
        parse(
            "{\"s\":\"€\\u0041\",\"n\":1500.50,\"big\":9007199254740993,\"t\":true,"
                + "\"o\":{ \"a\" : [1, {}]},\"e\":\"BEST\",\"l\":[{\"x\":1},{\"x\":2}],"
                + "\"ss\":[\"a\",\"b\"],\"i\":7,\"null\":null}");
    assertThat(fields.string("s")).isEqualTo("€A");
    assertThat(fields.number("n")).isEqualTo("1500.50");
    assertThat(fields.number("big")).isEqualTo("9007199254740993");
    assertThat(fields.bool("t", false)).isTrue();
    assertThat(fields.optionalRawObject("o", 100)).isEqualTo("{ \"a\" : [1, {}]}");
    assertThat(fields.choice("e", Mode.class)).isEqualTo(Mode.BEST);
    assertThat(fields.objectsOrNulls("l", 1, 2))
        .extracting(f -> f == null ? "" : f.number("x"))
        .containsExactly("1", "2");
    assertThat(fields.strings("ss", 2)).containsExactly("a", "b");
    assertThat(fields.integer("i", 0, 1, 10)).isEqualTo(7);
    assertThat(fields.optionalString("null")).isNull();
    assertThat(fields.optionalString("absent")).isNull();
    assertThat(fields.integer("absent", 5, 1, 10)).isEqualTo(5);
    fields.done();
  }

  @Test
  void object_rawAfterMultiByteText_isCutAtTheRightBytes() {
    Fields fields = parse("{\"é€😀\":\"é€😀\", \"m\": {\"k\":\"é\"} }");
    assertThat(fields.object("m").raw()).isEqualTo("{\"k\":\"é\"}");
  }

  @Test
  void object_malformed_isRefused() {
    for (String json :
        List.of(
            "",
            " ",
            "{",
            "{}{}",
            "{} x",
            "{\"a\":1,\"a\":2}",
            "{\"o\":{\"a\":1,\"a\":2}}",
            "{\"a\":NaN}",
            "{\"a\":Infinity}",
            "{\"a\":-Infinity}",
            "{\"a\":01}",
            "{\"a\":.5}",
            "{\"a\":+1}",
            "{\"a\":1.}",
            "{'a':1}",
            "{a:1}",
            "{\"a\":1,}",
            "{\"a\":[1,]}",
            "// c\n{}",
            "{\"a\":\"\t\"}",
            "{\"a\":\"\\x\"}",
            "{\"a\":" + "1".repeat(65) + "}",
            "{\"" + "n".repeat(129) + "\":1}",
            "{\"a\":\"" + "s".repeat(65_537) + "\"}",
            "[".repeat(10_000) + "]".repeat(10_000),
            "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000))) {
      assertMalformed(json.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void object_invalidUtf8_isRefused() {
    for (int[] bad :
        new int[][] {
          {0xff}, {0xc3}, {0xc0, 0xaf}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0x80}
        }) {
      byte[] body = "{\"a\":\"xxxx\"}".getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < bad.length; i++) {
        body[6 + i] = (byte) bad[i];
      }
      assertMalformed(body);
    }
  }

  @Test
  void object_invalidUtf8AfterManyValidBytes_isRefused() {
    byte[] body = ("{\"a\":\"" + "é".repeat(20_000) + "x\"}").getBytes(StandardCharsets.UTF_8);
    assertThat(Json.object(body).string("a")).hasSize(20_001);
    body[body.length - 3] = (byte) 0xc3;
    assertMalformed(body);
  }

  @Test
  void object_otherValue_isRefused() {
    for (String json : List.of("[]", "1", "null", "\"x\"")) {
      assertThat(rejection(() -> parse(json)).message())
          .isEqualTo("body: not an object (expected: a JSON object)");
    }
  }

  @Test
  void fields_wrongType_namesFieldValueAndExpectation() {
    assertMessage(f -> f.string("a"), "{\"a\":5}", "a: 5 (expected: a string)");
    assertMessage(f -> f.string("a"), "{}", "a: missing (expected: a string)");
    assertMessage(f -> f.string("a"), "{\"a\":null}", "a: null (expected: a string)");
    assertMessage(f -> f.number("a"), "{\"a\":\"5\"}", "a: 5 (expected: a number)");
    assertMessage(f -> f.bool("a", true), "{\"a\":1}", "a: 1 (expected: true or false)");
    assertMessage(f -> f.integer("a", 1, 1, 9), "{\"a\":0}", "a: 0 (expected: 1..9)");
    assertMessage(
        f -> f.integer("a", 1, 1, 9), "{\"a\":1.5}", "a: 1.5 (expected: a whole number, 1..9)");
    assertMessage(
        f -> f.choice("a", Mode.class), "{\"a\":\"best\"}", "a: best (expected: BEST | LATEST)");
    assertMessage(
        f -> f.object("b").string("c"), "{\"b\":{\"c\":1}}", "b.c: 1 (expected: a string)");
    assertMessage(
        f -> Objects.requireNonNull(f.objectsOrNulls("l", 0, 9).get(1)).string("c"),
        "{\"l\":[{},{\"c\":1}]}",
        "l[1].c: 1 (expected: a string)");
    assertMessage(
        f -> f.string("a"),
        "{\"a\":\"\\ud800\"}",
        "a: an unpaired surrogate (expected: a string of whole characters)");
    assertMessage(
        f -> f.optionalRawObject("a", 3) + "",
        "{\"a\":{\"b\":1}}",
        "a: 7 bytes (expected: at most 3 bytes)");
  }

  private static void assertMessage(Function<Fields, ?> read, String json, String message) {
    assertThat(rejection(() -> read.apply(parse(json))).message()).isEqualTo(message);
  }

  @Test
  void done_unaskedField_isRefusedByName() {
    Fields fields = parse("{\"a\":\"x\",\"b\":{\"typo\":1}}");
    fields.string("a");
    Fields inner = fields.object("b");
    fields.done();
    inner.optionalString("type");
    Rejection rejection = rejection(inner::done);
    assertThat(rejection.code()).isEqualTo(ErrorCode.UNKNOWN_FIELD);
    assertThat(rejection.message()).isEqualTo("b.typo: unknown field (expected: one of type)");
  }
}
