package dev.laurel.core.archive;

import dev.laurel.core.model.ErrorCode;

/** The archive cannot give or take what it should. */
public final class ArchiveException extends RuntimeException {
  private final ErrorCode code;

  private ArchiveException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  private ArchiveException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  /** It cannot be reached; trying later may work. */
  public static ArchiveException unavailable(String message, Throwable cause) {
    return new ArchiveException(ErrorCode.ARCHIVE_UNAVAILABLE, message, cause);
  }

  /** It is not what was written. */
  public static ArchiveException damaged(String message) {
    return new ArchiveException(ErrorCode.ARCHIVE_DAMAGED, message);
  }

  public static ArchiveException damaged(String message, Throwable cause) {
    return new ArchiveException(ErrorCode.ARCHIVE_DAMAGED, message, cause);
  }

  public ErrorCode code() {
    return code;
  }
}
