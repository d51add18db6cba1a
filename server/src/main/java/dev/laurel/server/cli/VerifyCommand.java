package dev.laurel.server.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code laurel verify} and {@code laurel rebuild}: whether the ranks in memory or in Redis are
 * what the database says, and building them anew.
 */
abstract class VerifyCommand extends ServerVerb {
  private static final String EXIT =
      "Exit status: 0 all is well; 11 ranks differ, or could not be compared; 12 the ledger is not"
          + " what was written; 9 the server refused; 2 a wrong option.";

  @Parameters(arity = "0..1", paramLabel = "BOARD", description = "the UUID of a board")
  @Nullable String board;

  @Option(names = "--all", description = "every board of the tenant")
  boolean all;

  private final boolean rebuild;

  /** The last line of the answer. */
  private @Nullable JsonNode summary;

  VerifyCommand(Map<String, String> env, boolean rebuild) {
    super(env);
    this.rebuild = rebuild;
  }

  @Command(
      name = "verify",
      description =
          "Compare ranks with the database, by season, on a running server (scope manage).",
      footer = {
        "",
        "With --ledger the ledger's chain is verified instead, of all tenants (the admin's key).",
        "",
        "Without BOARD every board is compared. Each season of a board that is not settled is loaded"
            + " if it is not in memory. What differs is shown, and is built anew by the server.",
        "",
        EXIT
      })
  static final class Verify extends VerifyCommand {
    @Option(
        names = "--ledger",
        description = "whether any line of the ledger was changed, removed or moved")
    boolean ledger;

    Verify(Map<String, String> env) {
      super(env, false);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      if (!ledger) {
        return super.run(calls, out);
      }
      if (board != null || all) {
        throw new ParameterException(spec.commandLine(), "expected: --ledger alone");
      }
      try (Bar bar = new Bar("verify", spec.commandLine().getErr())) {
        return new LedgerReport(bar, out).run(calls);
      }
    }
  }

  @Command(
      name = "rebuild",
      description = "Build ranks anew from the database, on a running server (scope manage).",
      footer = {
        "",
        "Reads and writes go on. What was built takes the place of the old ranks, and is compared.",
        "",
        EXIT
      })
  static final class Rebuild extends VerifyCommand {
    Rebuild(Map<String, String> env) {
      super(env, true);
    }
  }

  @Override
  int run(ServerCalls calls, PrintWriter out) {
    if ((board != null && all) || (rebuild && board == null && !all)) {
      throw new ParameterException(spec.commandLine(), "expected: BOARD or --all");
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("rebuild", rebuild);
    if (board != null) {
      body.put("UUID", board);
    }
    try (Bar bar = new Bar(rebuild ? "rebuild" : "verify", spec.commandLine().getErr())) {
      calls.post("/api/v1/checks", body, line -> show(line, bar, out));
    }
    JsonNode last = summary;
    if (last == null) {
      throw new CallException("the answer broke off: not everything was compared");
    }
    if (last.path("seasons").asInt() == 0) {
      say("no season to compare");
    }
    return last.path("wrong").asInt() == 0 ? ExitCode.OK : ExitCode.DRIFT;
  }

  private void show(JsonNode line, Bar bar, PrintWriter out) {
    if (line.has("total")) {
      bar.at(line.path("done").asLong(), line.path("total").asLong());
      return;
    }
    if (line.has("wrong")) {
      summary = line;
      return;
    }
    String state = line.path("state").asString();
    String name = line.path("label").asString();
    switch (state) {
      case "EQUAL" -> print(out, state, side(line.path("store")), name);
      case "NOT_LOADED" -> print(out, state, "not held by this node", name);
      case "DIFFERENT" -> {
        print(out, state, "database " + side(line.path("store")), name);
        print(out, "", "index    " + side(line.path("index")), difference(line.path("first")));
      }
      default -> print(out, state, line.path("problem").asString(""), name);
    }
  }

  private static void print(PrintWriter out, String state, String what, String name) {
    out.println(String.format(Locale.ROOT, "%-10s  %s  %s", state, what, name));
    out.flush();
  }

  private static String side(JsonNode side) {
    return String.format(
        Locale.ROOT,
        "%,12d entries  %s",
        side.path("count").asLong(),
        side.path("checksum").asString());
  }

  private static String difference(JsonNode first) {
    return first.isMissingNode()
        ? ""
        : "first: %s %s, database: %s, index: %s"
            .formatted(
                first.path("kind").asString(),
                first.path("userId").asString(),
                value(first.path("store")),
                value(first.path("index")));
  }

  private static String value(JsonNode value) {
    return value.isMissingNode()
        ? "none"
        : value.path("score").asString() + " at " + value.path("timestamp").asString();
  }
}
