package dev.laurel.server.imports;

/** What became of a line: those of the batch route, each an outcome of its own. */
enum LineOutcome {
  APPLIED,
  UNCHANGED,
  DUPLICATE,
  /** A guard holds it back: it is in and its ids are taken, so it must not be sent again. */
  HELD,
  REJECTED
}
