package dev.laurel.server.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a client of the bench does. */
public enum Operation {
  RANK("one user's rank", false, "\"rank\":"),
  TOP("the first 10", false, "\"users\":[{"),
  AROUND("a user with 5 neighbours on either side", false, "\"above\":["),
  RANKS("the ranks of a batch of users", true, "\"rankAmong\":"),
  PUT("one user's score, durable", false, "\"score\":"),
  SCORES("a batch of scores, durable", true, "\"outcome\":\"APPLIED\"");

  private final String description;
  private final boolean batch;
  private final String expected;

  Operation(String description, boolean batch, String expected) {
    this.description = description;
    this.batch = batch;
    this.expected = expected;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String description() {
    return description;
  }

  /** How many users a request is about. */
  int items(int batchSize) {
    return batch ? batchSize : 1;
  }

  /** Whether the body of a good answer, or its beginning, could be this. */
  boolean isPlausible(byte[] bytes, int from, int to) {
    int last = to - expected.length();
    for (int i = from; i <= last; i++) {
      if (startsHere(bytes, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean startsHere(byte[] bytes, int at) {
    for (int i = 0; i < expected.length(); i++) {
      if (bytes[at + i] != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  static @Nullable Operation find(String label) {
    for (Operation operation : values()) {
      if (operation.label().equals(label)) {
        return operation;
      }
    }
    return null;
  }

  static String labels() {
    return Arrays.stream(values()).map(Operation::label).collect(Collectors.joining(", "));
  }
}
