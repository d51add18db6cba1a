package dev.laurel.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Without a verb there is nothing to do but to say which there are. */
@Command(
    name = "laurel",
    description = "Self-hosted, multi-tenant, real-time leaderboards with exact ranks.",
    synopsisSubcommandLabel = "VERB",
    footer = {
      "",
      "In a checkout also `./laurel stack`: private PostgreSQL, Redis and Kafka for several nodes."
    },
    versionProvider = VersionCommand.class)
final class RootCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT, // all verbs have it
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  RootCommand() {}

  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    line.usage(line.getOut());
  }
}
