package dev.laurel.server.settings;

/** Which requests are logged; {@code ERRORS} are answers of 500 and above. */
public enum AccessLogMode {
  OFF,
  ERRORS,
  ALL
}
