package dev.laurel.server.http;

/** What a route expects after the headers. */
public enum Body {
  NONE,
  JSON,
  OPTIONAL_JSON
}
