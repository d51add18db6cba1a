package dev.laurel.server.cli;

/** What scripts can tell apart. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int UNEXPECTED = 1;

  /** A wrong option, or a setting that cannot be used. */
  public static final int USAGE = 2;

  /** Also what Java itself ends with when the heap is exhausted, which is later. */
  public static final int CANNOT_LISTEN = 3;

  public static final int DATA_FOLDER = 4;

  /** An import is complete, but for lines that were refused. */
  public static final int LINES_REJECTED = 5;

  /** An import could not begin or not go on. */
  public static final int IMPORT_FAILED = 6;

  /** A bench is done, but some of its requests failed. */
  public static final int BENCH_ERRORS = 7;

  /** A bench could not begin or not go on. */
  public static final int BENCH_FAILED = 8;

  /** A server did not do what a command asked for. */
  public static final int CALL_FAILED = 9;

  /** The database of the setting database-url cannot be used. */
  public static final int DATABASE = 10;

  /** An index differs from the database, or could not be compared. */
  public static final int DRIFT = 11;

  /** The ledger is not what was written. */
  public static final int LEDGER_BROKEN = 12;

  /** The heap has no room for what has to be in memory. */
  public static final int HEAP = 13;

  private ExitCode() {}
}
