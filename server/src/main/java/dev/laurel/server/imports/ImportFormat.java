package dev.laurel.server.imports;

/** How the lines of a file are written. */
public enum ImportFormat {
  CSV,
  JSONL
}
