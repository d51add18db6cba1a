package dev.laurel.server.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code laurel verify --ledger}: a line a shard that has lines, and one a broken stretch. */
final class LedgerReport {
  private final Bar bar;
  private final PrintWriter out;

  /** The last line of the answer. */
  private @Nullable JsonNode summary;

  LedgerReport(Bar bar, PrintWriter out) {
    this.bar = bar;
    this.out = out;
  }

  int run(ServerCalls calls) {
    calls.post("/api/v1/ledger/verify", null, this::show);
    JsonNode last = summary;
    if (last == null) {
      throw new CallException("the answer broke off: not everything was verified");
    }
    return last.path("broken").asInt() == 0 ? ExitCode.OK : ExitCode.LEDGER_BROKEN;
  }

  private void show(JsonNode line) {
    if (line.has("total")) {
      bar.at(line.path("done").asLong(), line.path("total").asLong());
      return;
    }
    if (line.has("shards")) {
      summary = line;
      return;
    }
    long after = line.path("after").asLong();
    long upTo = line.path("upTo").asLong();
    String state = line.path("state").asString();
    if (upTo > after || !state.equals("INTACT")) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-8s  shard %2d  %,12d lines from %d  %s",
              state,
              line.path("shard").asInt(),
              upTo - after,
              after + 1,
              line.path("digest").asString()));
    }
    for (JsonNode stretch : line.path("stretches")) {
      out.println(
          String.format(
              Locale.ROOT,
              "          lines %d to %d: %s",
              stretch.path("after").asLong() + 1,
              stretch.path("upTo").asLong(),
              stretch.path("problem").asString()));
    }
    out.flush();
  }
}
