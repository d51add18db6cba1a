package dev.laurel.core.model;

/** What kind of value a feature has. */
public enum FeatureType {
  STRING("a string of at most 256 characters"),
  INTEGER("a whole number that fits 64 bits"),
  FLOAT("a number below 10^34, of at most 100 digits"),
  BOOLEAN("true or false");

  private final String expected;

  FeatureType(String expected) {
    this.expected = expected;
  }

  /** For messages. */
  public String expected() {
    return expected;
  }
}
