package dev.laurel.server.cli;

import dev.laurel.server.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code laurel version}. */
@Command(name = "version", description = "Show the version of Laurel and of Java.")
final class VersionCommand implements Runnable, IVersionProvider {
  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  VersionCommand() {}

  @Override
  public void run() {
    spec.commandLine().getOut().println(line());
  }

  @Override
  public String[] getVersion() {
    return new String[] {line()};
  }

  private static String line() {
    return "laurel " + Version.current() + " (java " + Runtime.version() + ")";
  }
}
