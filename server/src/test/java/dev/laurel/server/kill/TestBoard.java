package dev.laurel.server.kill;

/** The boards of the test: every rule, and every way to rank ties. */
enum TestBoard {
  BEST("DENSE"),
  LATEST("SHARED"),
  SUM("EARLIEST_FIRST");

  private final String ties;

  TestBoard(String ties) {
    this.ties = ties;
  }

  String ties() {
    return ties;
  }

  String uuid() {
    return "kill-" + name().toLowerCase(java.util.Locale.ROOT);
  }

  String definition() {
    return """
        {"UUID":"%s","update":"%s","ties":"%s","decimals":0}"""
        .formatted(uuid(), name(), ties);
  }
}
