package dev.laurel.server.api;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.repair.LedgerCheck;
import dev.laurel.core.store.LedgerKey;
import dev.laurel.core.store.Store;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Whether the ledger is what was written. Of all tenants at once: they share its shards. */
final class LedgerRoutes {
  private final Store store;
  private final @Nullable LedgerKey key;

  LedgerRoutes(Store store, @Nullable LedgerKey key) {
    this.store = store;
    this.key = key;
  }

  void verify(Exchange exchange) {
    if (key == null) {
      throw new RejectedException(
          Rejection.of(
              ErrorCode.LEDGER_NOT_CHAINED,
              "the ledger is not chained (expected: a server with the setting ledger-key)"));
    }
    LedgerCheck check = new LedgerCheck(store, key);
    AnswerLines lines = new AnswerLines(exchange);
    int broken = 0;
    try {
      for (int shard = 0; shard < store.shards(); shard++) {
        broken += verify(check, shard, lines) ? 0 : 1;
      }
      JsonOut last = new JsonOut(64).beginObject();
      last.name("shards").number(store.shards());
      last.name("broken").number(broken);
      lines.end(last);
    } catch (CancellationException e) {
      // Whoever asked has gone.
    }
  }

  private static boolean verify(LedgerCheck check, int shard, AnswerLines lines) {
    LedgerCheck.Result result =
        check.check(
            shard,
            (done, total) -> {
              if (lines.isQuiet()) {
                JsonOut line = begin(shard);
                line.name("done").number(done);
                line.name("total").number(total);
                lines.send(line);
              }
            });
    JsonOut line = begin(shard);
    line.name("state").string(result.isIntact() ? "INTACT" : "BROKEN");
    line.name("after").number(result.from());
    line.name("upTo").number(result.to());
    line.name("digest").string(result.digest());
    if (!result.isIntact()) {
      line.name("stretches").beginArray();
      for (LedgerCheck.Stretch stretch : result.broken()) {
        line.beginObject();
        line.name("after").number(stretch.after());
        line.name("upTo").number(stretch.upTo());
        line.name("problem").string(stretch.why());
        line.endObject();
      }
      line.endArray();
    }
    lines.send(line);
    return result.isIntact();
  }

  private static JsonOut begin(int shard) {
    JsonOut line = new JsonOut(512).beginObject();
    line.name("shard").number(shard);
    return line;
  }
}
