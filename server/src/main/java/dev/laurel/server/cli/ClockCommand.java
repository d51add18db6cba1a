package dev.laurel.server.cli;

import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code laurel clock}: whether a server believes its clock, and the word that it may. */
@Command(
    name = "clock",
    description = "Show what time it is to a running server, or confirm it after a jump.",
    footer = {
      "",
      "A clock that has jumped is in doubt: until it comes back, is confirmed, or has stayed for a"
          + " while (clock-confirm-after), seasons do not move on. With several nodes it is enough"
          + " to confirm it at one.",
      "",
      "Exit status: 0 done; 9 the server refused; 2 a wrong option."
    })
final class ClockCommand implements Runnable {
  private static final String PATH = "/api/v1/clock";

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  private ClockCommand() {}

  static CommandLine build(Map<String, String> env) {
    return new CommandLine(new ClockCommand())
        .addSubcommand("show", new Show(env))
        .addSubcommand("confirm", new Confirm(env));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static void print(PrintWriter out, JsonNode clock) {
    if (!clock.path("state").asString().equals("IN_DOUBT")) {
      out.println("KNOWN     " + clock.path("time").asString());
      return;
    }
    out.println("IN_DOUBT  " + clock.path("claimed").asString() + "  what the clock says");
    out.println("          " + clock.path("trusted").asString() + "  what it should say");
    if (clock.path("objected").asBoolean()) {
      out.println("          another clock contradicts it: it is not believed by itself");
    } else if (clock.has("confirmsInSeconds")) {
      out.println(
          "          believed in " + clock.path("confirmsInSeconds").asLong() + " s if it stays");
    }
  }

  @Command(name = "show", description = "Show whether the clock is believed (the admin's key).")
  static final class Show extends ServerVerb {
    Show(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      print(out, calls.get(PATH));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "confirm",
      description = "Say that what the clock says now is the right time (the admin's key).")
  static final class Confirm extends ServerVerb {
    Confirm(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      JsonNode before = calls.get(PATH);
      print(out, before);
      if (!before.has("claimed")) {
        say("nothing to confirm");
        return ExitCode.OK;
      }
      print(
          out,
          calls.post(
              PATH + "/confirm",
              JsonNodeFactory.instance
                  .objectNode()
                  .put("time", before.path("claimed").asString())));
      return ExitCode.OK;
    }
  }
}
