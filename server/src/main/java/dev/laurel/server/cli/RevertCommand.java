package dev.laurel.server.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code laurel revert}: submissions are undone, after a look at what that changes. */
@Command(
    name = "revert",
    description = "Undo submissions of a board, on a running server (scope manage).",
    footer = {
      "",
      "Shows first what would change, then asks; --yes does not ask, --dry-run only shows. What is"
          + " undone stays in the ledger, with a line that says so.",
      "",
      "Exit status: 0 done, or nothing to do; 9 the server did not do it; 2 a wrong option, or no."
    })
final class RevertCommand extends ServerVerb {
  @Parameters(paramLabel = "BOARD", description = "its UUID")
  String board;

  @ArgGroup(multiplicity = "1")
  Which which;

  @Option(names = "--reason", paramLabel = "TEXT", description = "kept in the ledger")
  @Nullable String reason;

  @Option(names = "--dry-run", description = "only show what would change")
  boolean dryRun;

  @Option(names = "--yes", description = "do not ask")
  boolean yes;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  RevertCommand(Map<String, String> env) {
    super(env);
  }

  /** One of these. */
  static final class Which {
    @Option(names = "--line", paramLabel = "LINE", description = "one line of the ledger")
    @Nullable Long line;

    @Option(names = "--award", paramLabel = "ID", description = "one award, by its award_id")
    @Nullable String award;

    @ArgGroup(exclusive = false)
    @Nullable Last last;

    @ArgGroup(exclusive = false)
    @Nullable Source source;
  }

  /** The last of a user. */
  static final class Last {
    @Option(names = "--user", required = true, paramLabel = "USER", description = "whose scores")
    String user;

    @Option(names = "--last", required = true, paramLabel = "N", description = "how many of them")
    int count;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    Last() {}
  }

  /** Everything of a source. */
  static final class Source {
    @Option(names = "--key-id", paramLabel = "ID", description = "of the API key that sent them")
    @Nullable Long keyId;

    @Option(names = "--pod", paramLabel = "ID", description = "of the pod whose events they were")
    @Nullable String podId;

    @Option(names = "--topic", paramLabel = "NAME", description = "of the Kafka topic they were in")
    @Nullable String topic;

    @Option(names = "--issuer", paramLabel = "URL", description = "of the tokens they came with")
    @Nullable String issuer;

    @Option(names = "--source", paramLabel = "PREFIX", description = "that event ids begin with")
    @Nullable String prefix;

    @Option(names = "--from", required = true, paramLabel = "TIME", description = "first time")
    String from;

    @Option(names = "--to", required = true, paramLabel = "TIME", description = "time after it")
    String to;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    Source() {}
  }

  @Override
  int run(ServerCalls calls, PrintWriter out) {
    String path = "/api/v1/leaderboards/" + ServerCalls.encode(board) + "/reverts";
    ObjectNode body = body();
    body.put("dryRun", true);
    JsonNode plan = calls.post(path, body);
    for (JsonNode change : plan.path("changes")) {
      out.println(
          String.join(
              "\t",
              change.path("userId").asString(""),
              change.path("period").asString(""),
              row(change.path("before")),
              "->",
              row(change.path("after"))));
    }
    long shown = plan.path("changes").size();
    long changed = plan.path("changed").asLong();
    if (changed > shown) {
      out.println("... and " + (changed - shown) + " more");
    }
    say(
        String.format(
            Locale.ROOT,
            "%d submissions selected, %d entries change",
            plan.path("submissions").asLong(),
            changed));
    if (dryRun || plan.path("lines").asLong() == 0) {
      return ExitCode.OK;
    }
    if (!yes && !confirmed()) {
      say("nothing was changed");
      return ExitCode.USAGE;
    }
    body.put("dryRun", false);
    JsonNode done = calls.post(path, body);
    out.println(done.path("lines").asString("0") + " lines written");
    return ExitCode.OK;
  }

  @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again where no terminal is
  private boolean confirmed() {
    say("Undo this? [y/N]");
    // No terminal is no answer: a script says --yes.
    Console console = System.console();
    String answer = console == null || !console.isTerminal() ? null : console.readLine();
    return answer != null && answer.strip().equalsIgnoreCase("y");
  }

  private static String row(JsonNode row) {
    return row.isMissingNode()
        ? "-"
        : row.path("score").asString("")
            + (row.has("rank") ? " (#" + row.path("rank").asString("") + ")" : "");
  }

  private ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    Source source = which.source;
    Last last = which.last;
    if (which.line != null) {
      body.put("line", which.line);
    } else if (which.award != null) {
      body.put("awardId", which.award);
    } else if (last != null) {
      body.put("userId", last.user);
      body.put("last", last.count);
    } else if (source != null) {
      ObjectNode fields = body.putObject("source");
      if (source.keyId != null) {
        fields.put("keyId", source.keyId);
      }
      putIfGiven(fields, "podId", source.podId);
      putIfGiven(fields, "topic", source.topic);
      putIfGiven(fields, "issuer", source.issuer);
      putIfGiven(fields, "eventIdPrefix", source.prefix);
      fields.put("from", source.from);
      fields.put("to", source.to);
    }
    putIfGiven(body, "reason", reason);
    return body;
  }

  private static void putIfGiven(ObjectNode fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, value);
    }
  }
}
