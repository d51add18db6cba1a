package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** What the server said. */
record Answer(int status, HttpHeaders headers, String text, JsonNode json) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  static Answer of(int status, HttpHeaders headers, String text) {
    return new Answer(status, headers, text, parse(text));
  }

  private static JsonNode parse(String text) {
    try {
      return text.isEmpty() ? MissingNode.getInstance() : JSON.readTree(text);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  /** Empty if it is not there. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  String code() {
    return json.at("/error/code").asString("");
  }

  String message() {
    return json.at("/error/message").asString("");
  }

  /** A value in the body as text, numbers as they were written; "" if it is not there. */
  String at(String pointer) {
    JsonNode node = json.at(pointer);
    return node.isNumber() ? node.decimalValue().toPlainString() : node.asString("");
  }

  long number(String pointer) {
    assertThat(json.at(pointer).isIntegralNumber()).as(pointer + " of " + this).isTrue();
    return json.at(pointer).longValue();
  }

  /** One property of every element of an array. */
  List<String> all(String array, String property) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < json.at(array).size(); i++) {
      values.add(at(array + "/" + i + "/" + property));
    }
    return values;
  }

  Answer is(int expected) {
    assertThat(status).as(toString()).isEqualTo(expected);
    return this;
  }

  Answer refused(int expected, String code) {
    assertThat(status + " " + code()).as(toString()).isEqualTo(expected + " " + code);
    return this;
  }

  boolean replayed() {
    return header("Idempotent-Replayed").equals("true");
  }

  @Override
  public String toString() {
    return status + " " + (text.length() > 600 ? text.substring(0, 600) + "..." : text);
  }
}
