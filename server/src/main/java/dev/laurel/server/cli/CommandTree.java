package dev.laurel.server.cli;

import dev.laurel.server.StartException;
import dev.laurel.server.bench.BenchException;
import dev.laurel.server.imports.ImportException;
import dev.laurel.server.settings.Setting;
import dev.laurel.server.settings.SettingException;
import dev.laurel.server.settings.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * All verbs of {@code laurel}. Options of {@code serve} are generated from the registry of
 * settings.
 */
public final class CommandTree {
  private CommandTree() {}

  public static CommandLine build(
      Map<String, String> env, Path folder, PrintWriter out, PrintWriter err) {
    CommandLine root = new CommandLine(new RootCommand());
    root.addSubcommand("serve", withSettings(new ServeCommand(env, folder)));
    root.addSubcommand("import", new ImportCommand(env, folder));
    root.addSubcommand("export", new ExportCommand(env, folder));
    root.addSubcommand("archive", ArchiveCommand.build(env));
    root.addSubcommand("dead-letters", DeadLettersCommand.build(env));
    root.addSubcommand("revert", new RevertCommand(env));
    root.addSubcommand("verify", new VerifyCommand.Verify(env));
    root.addSubcommand("rebuild", new VerifyCommand.Rebuild(env));
    root.addSubcommand("clock", ClockCommand.build(env));
    root.addSubcommand("bench", new BenchCommand(env, folder));
    root.addSubcommand("version", new VersionCommand());
    root.addSubcommand("help", new HelpVerb());
    root.setOut(out).setErr(err).setUsageHelpAutoWidth(true);
    root.setExecutionExceptionHandler(CommandTree::explain);
    root.setParameterExceptionHandler(CommandTree::explainUsage);
    return root;
  }

  private static CommandLine withSettings(Object command) {
    CommandLine line = new CommandLine(command);
    CommandSpec spec = line.getCommandSpec();
    for (Setting<?> setting : Settings.ALL) {
      spec.addOption(
          OptionSpec.builder(setting.option())
              .paramLabel(setting.label())
              .type(String.class)
              .arity(setting.isSwitch() ? "0..1" : "1")
              .fallbackValue("true")
              .description(describe(setting))
              .build());
    }
    spec.usageMessage().sortOptions(false);
    return line;
  }

  private static String describe(Setting<?> setting) {
    String names =
        Stream.concat(Stream.of(setting.env()), setting.envAliases().stream())
            .collect(Collectors.joining(" or "));
    String initial = setting.defaultText() == null ? "none" : setting.defaultText();
    // picocli formats descriptions: %n is a line break, and a percent sign must be doubled.
    return setting.description() + "%n" + names + ", default: " + initial;
  }

  /** What is wrong and where to look; all options at once would push that off the screen. */
  private static int explainUsage(CommandLine.ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("laurel: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    boolean root = line.getParent() == null;
    err.println("See `laurel help" + (root ? "" : " " + line.getCommandName()) + "`.");
    return ExitCode.USAGE;
  }

  /** What went wrong in one line; a stack trace only for what nobody foresaw. */
  private static int explain(Exception e, CommandLine line, CommandLine.ParseResult parsed)
      throws Exception {
    int code =
        switch (e) {
          case SettingException _ -> ExitCode.USAGE;
          case StartException failed -> failed.exitCode();
          case ImportException _ -> ExitCode.IMPORT_FAILED;
          case BenchException _ -> ExitCode.BENCH_FAILED;
          case CallException _ -> ExitCode.CALL_FAILED;
          default -> throw e;
        };
    line.getErr().println("laurel: " + e.getMessage());
    return code;
  }
}
