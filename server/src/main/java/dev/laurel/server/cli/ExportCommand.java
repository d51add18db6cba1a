package dev.laurel.server.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code laurel export}: a season as a file. */
@Command(
    name = "export",
    sortOptions = false,
    description = "Write a season of a board of a running server to a file (scope read).",
    footer = {
      "",
      "All rows are from one state of the season. FILE appears when it is complete."
          + " `laurel import` reads it: scores, times, the order of ties, metadata and ids come back as"
          + " they were, rank and prize are computed anew.",
      "",
      "Exit status: 0 done; 9 the server refused or broke off; 2 a wrong option."
    })
final class ExportCommand implements Callable<Integer> {
  private final Path folder;

  @Option(names = "--board", required = true, paramLabel = "UUID", description = "the board")
  String board;

  @Option(names = "--period", paramLabel = "NAME", description = "a window; else the first one")
  @Nullable String period;

  @Option(
      names = "--season",
      paramLabel = "SEASON",
      description = "current, previous or an instanceId%ndefault: current")
  @Nullable String season;

  @Option(names = "--at", paramLabel = "TIME", description = "the season that covers this time")
  @Nullable String at;

  @Option(
      names = "--format",
      paramLabel = "csv|jsonl",
      defaultValue = "csv",
      description = "how rows are written%ndefault: csv")
  String format;

  @Option(
      names = "--spreadsheet",
      arity = "0..1",
      paramLabel = "true|false",
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "in CSV, put an apostrophe before user ids that a spreadsheet takes for a formula;"
              + " laurel import takes it off%ndefault: true")
  boolean spreadsheet;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "where to%ndefault: standard output")
  @Nullable Path output;

  @Mixin final ServerOptions server;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ExportCommand(Map<String, String> env, Path folder) {
    this.server = new ServerOptions(env);
    this.folder = folder;
  }

  @Override
  public Integer call() {
    try (ServerCalls calls = server.connect()) {
      if (output == null) {
        calls.download(path(), System.out);
        System.out.flush();
      } else {
        save(calls, folder.resolve(output));
      }
      return ExitCode.OK;
    }
  }

  private void save(ServerCalls calls, Path file) {
    Path partial = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(partial))) {
        calls.download(path(), out);
      }
      Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new CallException("--output: " + file + " cannot be written: " + e.getMessage(), e);
    }
  }

  private String path() {
    StringBuilder path = new StringBuilder("/api/v1/leaderboards/");
    path.append(ServerCalls.encode(board)).append("/export?format=");
    path.append(ServerCalls.encode(format)).append("&spreadsheet=").append(spreadsheet);
    append(path, "period", period);
    append(path, "season", season);
    append(path, "at", at);
    return path.toString();
  }

  private static void append(StringBuilder path, String name, @Nullable String value) {
    if (value != null) {
      path.append('&').append(name).append('=').append(ServerCalls.encode(value));
    }
  }
}
