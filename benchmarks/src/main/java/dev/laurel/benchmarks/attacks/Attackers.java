package dev.laurel.benchmarks.attacks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Those who attack, as a process of their own: they would else take the processor from the threads
 * that measure. It reads lines, each with the names of the attacks that are next, and answers with
 * how often the ones before began anew.
 */
public final class Attackers implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;
  private final PrintStream told;

  private Attackers(Process process) {
    this.process = process;
    this.said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    this.told = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
  }

  /** With the lowest priority: attackers have machines of their own. */
  static Attackers start(int port, String key) throws IOException {
    List<String> command =
        List.of(
            "nice",
            "-n",
            "19",
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Attackers.class.getName(),
            Integer.toString(port),
            key);
    return new Attackers(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Ends what is under way, and begins these; says how often the ones before began anew. */
  String next(List<Attack> attacks) throws IOException {
    told.println(String.join(",", attacks.stream().map(Enum::name).toList()));
    String count = said.readLine();
    if (count == null) {
      throw new IOException("the attackers have ended");
    }
    return count;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /**
   * @param args the port, the key of the tenant that attacks
   */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong begun = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      threads.clear();
      System.out.println(begun.getAndSet(0));
      AtomicBoolean now = new AtomicBoolean();
      over = now;
      Target target = new Target(port, args[1], now::get);
      for (String name : line.isEmpty() ? new String[0] : line.split(",", -1)) {
        Attack attack = Attack.valueOf(name);
        for (int i = 0; i < attack.connections; i++) {
          threads.add(Thread.ofVirtual().start(() -> again(attack, target, begun)));
        }
      }
    }
  }

  private static void again(Attack attack, Target target, AtomicLong begun) {
    while (!target.isOver()) {
      begun.incrementAndGet();
      try {
        attack.once(target);
      } catch (IOException e) {
        target.pause(10); // the server has ended it
      }
    }
  }
}
