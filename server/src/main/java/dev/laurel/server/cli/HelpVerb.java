package dev.laurel.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The help of a verb, or of a part of one: {@code laurel help archive list}. */
@Command(
    name = "help",
    description = "Show the help of a verb: `laurel help serve`, `laurel help archive list`.")
final class HelpVerb implements Runnable {
  @Parameters(paramLabel = "VERB", arity = "0..*", description = "whose help; all verbs if none")
  @Nullable List<String> path;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  HelpVerb() {}

  @Override
  public void run() {
    CommandLine shown = spec.commandLine().getParent();
    for (String word : path == null ? List.<String>of() : path) {
      CommandLine next = shown.getSubcommands().get(word);
      if (next == null) {
        throw new CommandLine.ParameterException(
            shown,
            "%s: unknown (expected: one of %s)"
                .formatted(word, String.join(", ", shown.getSubcommands().keySet())));
      }
      shown = next;
    }
    shown.usage(spec.commandLine().getOut());
  }
}
