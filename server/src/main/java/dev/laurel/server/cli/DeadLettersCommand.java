package dev.laurel.server.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code laurel dead-letters}: events that were refused, and their way back. */
@Command(
    name = "dead-letters",
    description = "List events that were refused, or send them again, on a running server.",
    footer = {
      "",
      "list prints a line for each: id, code, how often it was refused, when, and why. redrive sends"
          + " those with the given ids again, or those of --topic and with --code, or with neither"
          + " all of the tenant. What is sent again counts once, however often it is sent.",
      "",
      "Exit status: 0 done; 9 the server did not do it; 2 a wrong option."
    })
final class DeadLettersCommand implements Runnable {
  private static final String PATH = "/api/v1/dead-letters";

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  private DeadLettersCommand() {}

  static CommandLine build(Map<String, String> env) {
    return new CommandLine(new DeadLettersCommand())
        .addSubcommand("list", new ListLetters(env))
        .addSubcommand("redrive", new Redrive(env));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** What both can be asked for. */
  abstract static class Verb extends ServerVerb {
    @Option(names = "--topic", paramLabel = "TOPIC", description = "that the events came from")
    @Nullable String topic;

    @Option(names = "--code", paramLabel = "CODE", description = "why they were refused")
    @Nullable String code;

    Verb(Map<String, String> env) {
      super(env);
    }
  }

  @Command(name = "list", description = "Print dead letters that were not sent again yet.")
  static final class ListLetters extends Verb {
    ListLetters(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      String path = PATH + "?limit=1000" + query("topic", topic) + query("code", code);
      String cursor = null;
      int printed = 0;
      do {
        JsonNode page = calls.get(path + query("cursor", cursor));
        for (JsonNode letter : page.path("deadLetters")) {
          out.println(
              String.join(
                  "\t",
                  List.of(
                      letter.path("id").asString(""),
                      letter.path("code").asString(""),
                      letter.path("attempt").asString(""),
                      letter.path("at").asString(""),
                      letter.path("reason").asString(""))));
          printed++;
        }
        JsonNode next = page.path("nextCursor");
        cursor = next.isMissingNode() ? null : next.asString();
      } while (cursor != null);
      if (printed == 0) {
        say("no dead letters");
      }
      return ExitCode.OK;
    }

    private static String query(String name, @Nullable String value) {
      return value == null ? "" : "&" + name + "=" + ServerCalls.encode(value);
    }
  }

  @Command(name = "redrive", description = "Send dead letters again.")
  static final class Redrive extends Verb {
    @Parameters(arity = "0..*", paramLabel = "ID", description = "as list prints them")
    @Nullable List<String> ids;

    Redrive(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      if (ids != null && !ids.isEmpty()) {
        ids.forEach(body.putArray("ids")::add);
      }
      if (topic != null) {
        body.put("topic", topic);
      }
      if (code != null) {
        body.put("code", code);
      }
      JsonNode answer = calls.post(PATH + "/redrive", body);
      out.println(answer.path("redriven").asString("0") + " sent again");
      return ExitCode.OK;
    }
  }
}
