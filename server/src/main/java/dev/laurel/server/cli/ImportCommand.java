package dev.laurel.server.cli;

import dev.laurel.server.imports.CsvOptions;
import dev.laurel.server.imports.ImportFormat;
import dev.laurel.server.imports.Importer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code laurel import}: brings an existing board. */
@Command(
    name = "import",
    sortOptions = false,
    description = "Send a file of scores to a board of a running server.",
    // One string a paragraph: picocli wraps it to the width of the terminal.
    footer = {
      "",
      "CSV: a header line with userId,score and, if wanted, timestamp, eventId, mode, metadata"
          + " (a JSON object); quotes as in RFC 4180. JSON lines: an object a line with the fields of"
          + " POST …/scores. UTF-8. What `laurel export` wrote: its rank and prize are skipped,"
          + " and so is the apostrophe before ids that a spreadsheet would run.",
      "",
      "An import that was interrupted goes on when the same command is run again, and no line"
          + " counts twice: every batch has an Idempotency-Key made of the board and of all lines"
          + " up to it, so the server knows a batch that it has seen, and FILE.laurel-import says"
          + " which are done. Keep that file: run again later, only the lines that were added"
          + " since are sent. Use the same API key; idempotency keys belong to it.",
      "",
      "The key needs the scope ingest. Lines of one user are applied in the order of the file, also with --parallel.",
      "",
      "Exit status: 0 all lines are in, some may be held back by a guard; 5 some were rejected, the others are in; 6 it could not"
          + " begin or go on, run it again; 2 a wrong option."
    })
final class ImportCommand implements Callable<Integer> {
  private final Path folder;

  @Parameters(
      paramLabel = "FILE",
      description = ".csv, .jsonl or .ndjson, also with .gz; - for standard input")
  String file;

  @Option(
      names = "--board",
      required = true,
      paramLabel = "UUID",
      description = "the board to send to")
  String board;

  @Mixin final ServerOptions server;

  @Option(
      names = "--format",
      paramLabel = "csv|jsonl",
      description = "how lines are written; else by the name of the file")
  @Nullable String format;

  @Option(names = "--ignore-extra", description = "skip columns of a CSV that are not known")
  boolean ignoreExtra;

  @Option(
      names = "--spreadsheet",
      arity = "0..1",
      paramLabel = "true|false",
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "false for an export with --spreadsheet=false: ids are taken as they are%ndefault: true")
  boolean spreadsheet;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "1..64 batches on the way at once; each user's lines keep to one of them%ndefault: 1")
  int parallel;

  @Option(
      names = "--state",
      paramLabel = "PATH",
      description = "how far it has come%ndefault: FILE.laurel-import; none for standard input")
  @Nullable Path state;

  @Option(
      names = "--rejects",
      paramLabel = "PATH",
      description = "where to keep rejected lines, to be mended and imported")
  @Nullable Path rejects;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "how long to try again while the server is not available%ndefault: 60")
  int patience;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ImportCommand(Map<String, String> env, Path folder) {
    this.server = new ServerOptions(env);
    this.folder = folder;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Importer.Summary summary = Importer.run(options(), System.in, err);
    spec.commandLine().getOut().println(describe(summary));
    return summary.rejected() == 0 ? ExitCode.OK : ExitCode.LINES_REJECTED;
  }

  private Importer.Options options() {
    if (parallel < 1 || parallel > 64) {
      throw wrong("--parallel: " + parallel + " (expected: 1..64)");
    }
    if (patience < 0) {
      throw wrong("--patience: " + patience + " (expected: seconds, at least 0)");
    }
    String name = "-".equals(file) ? null : file + ".laurel-import";
    return new Importer.Options(
        file,
        folder,
        readFormat(),
        new CsvOptions(ignoreExtra, spreadsheet),
        server.url(),
        board,
        server.key(),
        server.tenant(),
        server.tls(),
        parallel,
        Duration.ofSeconds(patience),
        state != null ? folder.resolve(state) : name == null ? null : folder.resolve(name),
        rejects == null ? null : folder.resolve(rejects),
        // The launcher knows: Java can tell of standard input and output only.
        Boolean.getBoolean("laurel.terminal"));
  }

  private @Nullable ImportFormat readFormat() {
    if (format == null) {
      return null;
    }
    return switch (format) {
      case "csv" -> ImportFormat.CSV;
      case "jsonl" -> ImportFormat.JSONL;
      default -> throw wrong("--format: " + format + " (expected: csv or jsonl)");
    };
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private String describe(Importer.Summary summary) {
    long now = summary.lines() - summary.before();
    String text =
        String.format(
            Locale.ROOT,
            "%,d lines in %.1f s (%,d lines/s)%s: %,d applied, %,d unchanged, %,d duplicate, %,d held, %,d rejected",
            now,
            summary.seconds(),
            (long) (now / Math.max(0.001, summary.seconds())),
            summary.before() == 0
                ? ""
                : String.format(Locale.ROOT, "; with the %,d of before", summary.before()),
            summary.applied(),
            summary.unchanged(),
            summary.duplicate(),
            summary.held(),
            summary.rejected());
    if (summary.rejected() > 0 && rejects != null) {
      text += "; mend " + rejects + " and import it";
    }
    return summary.held() > 0
        ? text + "; those held are in and wait in the guard's queue, do not send them again"
        : text;
  }
}
