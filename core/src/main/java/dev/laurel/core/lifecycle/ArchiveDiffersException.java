package dev.laurel.core.lifecycle;

/** An archive is not what the store has. Nothing is lost, and it is written anew. */
public final class ArchiveDiffersException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ArchiveDiffersException(String message) {
    super(message);
  }
}
