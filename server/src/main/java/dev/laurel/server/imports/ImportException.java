package dev.laurel.server.imports;

/** Why an import cannot go on, in words for the person who started it. */
public final class ImportException extends RuntimeException {
  public ImportException(String message) {
    super(message);
  }

  ImportException(String message, Throwable cause) {
    super(message, cause);
  }
}
