package dev.laurel.benchmarks.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording of the flight recorder and prints, as Markdown, where its samples were: by
 * thread, by part of the system (the first frame from the top that belongs to one), and by method.
 *
 * <p>{@code benchmarks/run dev.laurel.benchmarks.profile.HotFrames FILE.jfr [ROWS]}
 *
 * <p>It takes the samples by CPU time (JEP 509): a thread counts while it uses a core, be it in
 * Java, in native code or in the kernel on its behalf, and not while it waits.
 */
public final class HotFrames {
  private static final int ROWS = 20;
  private static final String SAMPLE = "jdk.CPUTimeSample";

  /** From the most particular to the least; the first that matches names the part. */
  private static final List<Part> PARTS =
      List.of(
          new Part("dev.laurel.core.rank", "Laurel: index"),
          new Part("dev.laurel.core.pipeline", "Laurel: pipeline"),
          new Part("dev.laurel.core.access", "Laurel: keys"),
          new Part("dev.laurel.core", "Laurel: core, other"),
          new Part("dev.laurel.sql", "Laurel: SQL adapter"),
          new Part("dev.laurel.server.api", "Laurel: routes, answers"),
          new Part("dev.laurel.server", "Laurel: HTTP layer"),
          new Part("org.sqlite", "SQLite"),
          new Part("tools.jackson", "Jackson"),
          new Part("io.micrometer", "metrics"),
          new Part("io.vertx", "Vert.x"),
          new Part("io.netty.handler.codec", "Netty: HTTP codec"),
          new Part("io.netty.channel.epoll", "Netty: epoll, sockets"),
          new Part("io.netty.channel.unix", "Netty: epoll, sockets"),
          new Part("io.netty.buffer", "Netty: buffers"),
          new Part("io.netty", "Netty, other"));

  private record Part(String prefix, String name) {}

  private final Map<String, Integer> threads = new HashMap<>();
  private final Map<String, Integer> parts = new HashMap<>();
  private final Map<String, Integer> methods = new HashMap<>();
  private int samples;
  private int failed;

  private HotFrames() {}

  public static void main(String[] args) throws IOException {
    HotFrames frames = new HotFrames();
    frames.read(Path.of(args[0]));
    int rows = args.length > 1 ? Integer.parseInt(args[1]) : ROWS;
    System.out.printf(
        "%,d samples of CPU time (and %,d without a stack)%n%n", frames.samples, frames.failed);
    frames.print("thread", frames.threads, rows);
    frames.print("part", frames.parts, rows);
    frames.print("method", frames.methods, rows);
  }

  private void read(Path file) throws IOException {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (!event.getEventType().getName().equals(SAMPLE)) {
          continue;
        }
        RecordedStackTrace stack = event.getStackTrace();
        if (stack == null || stack.getFrames().isEmpty()) {
          failed++;
        } else {
          add(event.getThread("eventThread"), stack.getFrames());
        }
      }
    }
  }

  private void add(@Nullable RecordedThread thread, List<RecordedFrame> stack) {
    samples++;
    String name = thread == null ? null : thread.getJavaName();
    count(threads, name == null ? "other" : name);
    count(parts, part(stack));
    count(methods, name(stack.getFirst()));
  }

  private static String part(List<RecordedFrame> stack) {
    for (RecordedFrame frame : stack) {
      String name = name(frame);
      for (Part part : PARTS) {
        if (name.startsWith(part.prefix)) {
          return part.name;
        }
      }
    }
    return "JDK and other";
  }

  private static String name(RecordedFrame frame) {
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  private static void count(Map<String, Integer> counts, String name) {
    counts.merge(name, 1, Integer::sum);
  }

  private void print(String title, Map<String, Integer> counts, int rows) {
    Function<Integer, Double> share = count -> 100.0 * count / Math.max(1, samples);
    System.out.printf("| %s | samples | share |%n|---|---|---|%n", title);
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(rows)
        .forEach(
            entry ->
                System.out.printf(
                    "| `%s` | %,d | %.1f %% |%n",
                    entry.getKey(), entry.getValue(), share.apply(entry.getValue())));
    System.out.println();
  }
}
