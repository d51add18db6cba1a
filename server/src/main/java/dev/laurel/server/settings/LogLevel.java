package dev.laurel.server.settings;

/** How much is logged; the names are those of every logging library. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG,
  TRACE
}
