package dev.laurel.server;

/** What {@code /metrics} said at one moment. */
public record Scrape(String text) {
  public static Scrape of(TestServer server) {
    return new Scrape(server.get("/metrics").body());
  }

  /**
   * Fails if there is no such line.
   *
   * @param series with its labels, in the order of the alphabet
   */
  public double value(String series) {
    return text.lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(series + " is not in\n" + text));
  }
}
