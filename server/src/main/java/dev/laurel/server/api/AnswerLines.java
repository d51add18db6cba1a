package dev.laurel.server.api;

import dev.laurel.server.http.BodyStream;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** An answer of JSON lines that is sent while its work goes on. For one thread. */
final class AnswerLines {
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final BodyStream out;
  private long told = System.nanoTime();

  AnswerLines(Exchange exchange) {
    this.out = exchange.stream("application/jsonl");
  }

  /** Whether the caller has heard nothing for a while. */
  boolean isQuiet() {
    return System.nanoTime() - told >= EVERY_NANOS;
  }

  /**
   * Ends the object, and the line.
   *
   * @throws CancellationException if whoever asked has gone
   */
  void send(JsonOut line) {
    told = System.nanoTime();
    byte[] json = line.endObject().toByteArray();
    byte[] ended = Arrays.copyOf(json, json.length + 1);
    ended[json.length] = '\n';
    if (!out.write(ended, ended.length)) {
      throw new CancellationException();
    }
  }

  /** With a last line, so that nobody takes an answer that broke off for a good one. */
  void end(JsonOut last) {
    send(last);
    out.end();
  }
}
