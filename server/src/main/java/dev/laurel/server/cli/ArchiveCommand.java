package dev.laurel.server.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code laurel archive}: seasons that are over, out of the database and back. */
@Command(
    name = "archive",
    description = "List, write, restore and verify archives of seasons, on a running server.",
    footer = {
      "",
      "SEASON is an instanceId, as `laurel archive list` and …/seasons show it.",
      "",
      "Exit status: 0 done; 9 the server refused, or an archive is damaged; 2 a wrong option."
    })
final class ArchiveCommand implements Runnable {
  private static final String ARCHIVES = "/api/v1/archives";
  private static final int PAGE = 1000;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  private ArchiveCommand() {}

  static CommandLine build(Map<String, String> env) {
    return new CommandLine(new ArchiveCommand())
        .addSubcommand("list", new ListArchives(env))
        .addSubcommand("run", new Run(env))
        .addSubcommand("restore", new Restore(env))
        .addSubcommand("verify", new Verify(env));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** What the four have in common. */
  abstract static class Verb extends ServerVerb {
    Verb(Map<String, String> env) {
      super(env);
    }

    static List<JsonNode> all(ServerCalls calls) {
      List<JsonNode> all = new ArrayList<>();
      long after = 0;
      while (true) {
        JsonNode page = calls.get(ARCHIVES + "?limit=" + PAGE + "&after=" + after).path("archives");
        for (JsonNode one : page) {
          all.add(one);
          after = one.path("number").asLong();
        }
        if (page.size() < PAGE) {
          return all;
        }
      }
    }

    static String path(JsonNode archive) {
      return path(archive.path("instanceId").asString());
    }

    static String path(String season) {
      return ARCHIVES + "/" + ServerCalls.encode(season);
    }

    static void print(PrintWriter out, JsonNode archive) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-9s  %,12d users  %,14d bytes  %s  %s",
              archive.path("state").asString(),
              archive.path("users").asLong(),
              archive.path("bytes").asLong(),
              archive.path("instanceId").asString(),
              archive.path("label").asString()));
    }

    /** Looks until the season is in one of the states, or cannot get there. */
    void await(ServerCalls calls, JsonNode asked, Set<String> states, PrintWriter out) {
      JsonNode now = asked;
      try (Bar bar = new Bar(asked.path("label").asString(), spec.commandLine().getErr())) {
        while (!states.contains(now.path("state").asString())) {
          JsonNode progress = now.path("progress");
          if (progress.has("problem")) {
            throw new CallException(
                asked.path("label").asString() + ": " + progress.path("problem").asString());
          }
          bar.at(progress.path("done").asLong(), progress.path("total").asLong());
          Bar.pause();
          now = calls.get(path(asked));
        }
      }
      print(out, now);
    }
  }

  @Command(name = "list", description = "Show the seasons that were archived (scope manage).")
  static final class ListArchives extends Verb {
    ListArchives(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      List<JsonNode> archives = all(calls);
      archives.forEach(archive -> print(out, archive));
      if (archives.isEmpty()) {
        say("no season was archived yet");
      }
      JsonNode purging = calls.get(ARCHIVES + "?limit=1").path("purging");
      if (purging.path("state").asString().equals("WAITING")) {
        say("nothing is purged: " + purging.path("problem").asString());
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "run",
      description = "Archive a season now, or all whose ranks are final (scope manage).")
  static final class Run extends Verb {
    private static final Set<String> DONE = Set.of("ARCHIVED", "PURGING", "PURGED", "RESTORING");

    @Parameters(arity = "0..1", paramLabel = "SEASON", description = "all if absent")
    @Nullable String season;

    Run(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      List<JsonNode> asked = new ArrayList<>();
      if (season == null) {
        calls.post(ARCHIVES + "/run").path("archives").forEach(asked::add);
      } else {
        asked.add(calls.post(path(season) + "/run"));
      }
      asked.forEach(one -> await(calls, one, DONE, out));
      if (asked.isEmpty()) {
        say("no season waits to be archived: none is final that was not archived");
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "restore",
      description = "Bring the rows of a purged season back into the database (scope manage).")
  static final class Restore extends Verb {
    @Parameters(paramLabel = "SEASON")
    String season;

    @SuppressWarnings("NullAway.Init") // picocli sets the fields
    Restore(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      await(calls, calls.post(path(season) + "/restore"), Set.of("ARCHIVED"), out);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "verify",
      description = "Compare an archive, or all, with its checksums (scope manage).")
  static final class Verify extends Verb {
    @Parameters(arity = "0..1", paramLabel = "SEASON", description = "all if absent")
    @Nullable String season;

    Verify(Map<String, String> env) {
      super(env);
    }

    @Override
    int run(ServerCalls calls, PrintWriter out) {
      List<JsonNode> asked = season == null ? all(calls) : List.of(calls.get(path(season)));
      List<String> damaged = new ArrayList<>();
      try (Bar bar = new Bar("verify", spec.commandLine().getErr())) {
        for (int i = 0; i < asked.size(); i++) {
          bar.at(i, asked.size());
          try {
            calls.post(path(asked.get(i)) + "/verify");
          } catch (CallException e) {
            damaged.add(asked.get(i).path("label").asString() + ": " + e.getMessage());
          }
        }
      }
      if (!damaged.isEmpty()) {
        throw new CallException(String.join(System.lineSeparator(), damaged));
      }
      out.println(asked.size() + " archives are what was written");
      return ExitCode.OK;
    }
  }
}
