package dev.laurel.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code laurel stack}: servers to try several nodes with. {@code up} starts a supervisor in the
 * background, which starts the servers, writes the file {@code state} and stays until somebody
 * removes that file. All else reads the file.
 *
 * <p>What a shell is to evaluate goes to the standard output; words for people go to the other one.
 */
public final class Main {
  private static final String USAGE =
      """
      usage: laurel stack up [--cluster] [--data DIR] | down | status
        up         starts PostgreSQL, Redis and Kafka on free ports of this machine and prints
                   the environment for `laurel serve`: eval "$(./laurel stack up)"
          --cluster    Redis is a cluster of three masters
          --data DIR   PostgreSQL and Kafka keep their data there when they are stopped
        down       stops them, and removes what is not in a DIR
        status     says what runs; exit code 1 if something does not
      """;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final PrintStream OUT = System.out;
  private static final PrintStream ERR = System.err;

  private final Path home;
  private final Path stateFile;
  private final Path log;

  private Main(Path home) {
    this.home = home;
    this.stateFile = home.resolve("state");
    this.log = home.resolve("log");
  }

  /** What {@code up} is told. */
  private record Options(boolean cluster, @Nullable Path data) {
    static Options of(List<String> words) {
      boolean cluster = false;
      Path data = null;
      for (int i = 0; i < words.size(); i++) {
        if (words.get(i).equals("--cluster")) {
          cluster = true;
        } else if (words.get(i).equals("--data") && i + 1 < words.size()) {
          data = Path.of(words.get(++i)).toAbsolutePath().normalize();
        } else {
          throw new IllegalArgumentException(
              "option: " + words.get(i) + " (expected: --cluster or --data DIR)");
        }
      }
      return new Options(cluster, data);
    }

    List<String> words() {
      List<String> words = new ArrayList<>();
      if (cluster) {
        words.add("--cluster");
      }
      if (data != null) {
        words.addAll(List.of("--data", data.toString()));
      }
      return words;
    }
  }

  /**
   * @param args a folder for what is known about the servers, a verb, its options
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path home = Path.of(args[0]).toAbsolutePath().normalize();
    List<String> words = List.of(args).subList(1, args.length);
    if (words.stream().anyMatch(List.of("help", "-h", "--help")::contains)) {
      OUT.print(USAGE);
      return;
    }
    Files.createDirectories(home);
    int status;
    try {
      String verb = words.isEmpty() ? "" : words.getFirst();
      status = new Main(home).run(verb, Options.of(words.stream().skip(1).toList()));
    } catch (IllegalArgumentException e) {
      ERR.println("laurel stack: " + e.getMessage());
      ERR.print(USAGE);
      status = 2;
    }
    System.exit(status);
  }

  private int run(String verb, Options options) throws IOException, InterruptedException {
    if (verb.equals("supervise")) {
      return supervise(options);
    }
    // Two of them at once would start everything twice.
    try (FileChannel channel =
            FileChannel.open(
                home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      if (!verb.equals("up") && !options.words().isEmpty()) {
        throw new IllegalArgumentException(
            "option: " + options.words().getFirst() + " (expected: none, or the verb up)");
      }
      return switch (verb) {
        case "up" -> up(options);
        case "down" -> down();
        case "status" -> status();
        default ->
            throw new IllegalArgumentException("verb: " + verb + " (expected: up, down or status)");
      };
    }
  }

  // ---- up

  private int up(Options options) throws IOException, InterruptedException {
    StackState running = StackState.read(stateFile);
    if (running != null && running.supervisor().isAlive()) {
      ERR.println("It is up already, and stays as it is:");
      status(running);
      export(running);
      return 0;
    }
    removeRemains(running);
    ERR.println("Starting PostgreSQL, Redis and Kafka…");
    Process supervisor = startSupervisor(options);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    StackState state;
    while ((state = StackState.read(stateFile)) == null) {
      if (!supervisor.isAlive() || System.nanoTime() > deadline) {
        supervisor.destroy();
        ERR.println("They do not start; this is what was said, in " + log + ":");
        Files.readAllLines(log).forEach(ERR::println);
        return 1;
      }
      LockSupport.parkNanos(20_000_000);
    }
    status(state);
    ERR.println(
        options.data == null
            ? "What they hold is gone after `laurel stack down`."
            : "PostgreSQL and Kafka keep their data in " + options.data + ".");
    export(state);
    return 0;
  }

  /** In a session of its own: what ends the shell, or interrupts it, must not end the servers. */
  private Process startSupervisor(Options options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "command -v setsid >/dev/null && exec setsid \"$@\"; exec nohup \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                home.toString(),
                "supervise"));
    command.addAll(options.words());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static void export(StackState state) {
    state
        .environment()
        .forEach((name, value) -> OUT.println("export " + name + "='" + value + "'"));
  }

  // ---- what runs in the background

  private int supervise(Options options) throws IOException {
    Path scratch = Files.createDirectories(home.resolve("scratch"));
    Path data = options.data == null ? scratch : Files.createDirectories(options.data);
    try (Stack stack = Stack.start(data, scratch, options.cluster)) {
      // For whoever does not ask in the way of `down`, such as a machine that is shut down.
      Runtime.getRuntime().addShutdownHook(new Thread(stack::close));
      stack.state().write(stateFile);
      while (Files.exists(stateFile)) {
        LockSupport.parkNanos(50_000_000);
      }
    }
    return 0;
  }

  // ---- down

  private int down() throws IOException, InterruptedException {
    StackState state = StackState.read(stateFile);
    if (state == null) {
      ERR.println("Nothing is up.");
      return 0;
    }
    Files.deleteIfExists(stateFile);
    ProcessHandle supervisor = state.supervisor().process();
    if (supervisor != null) {
      await(supervisor);
    }
    removeRemains(state);
    ERR.println("All servers are stopped, and what they held outside of a --data folder is gone.");
    return 0;
  }

  /** Whatever an earlier one left, also when its supervisor was killed. */
  private void removeRemains(@Nullable StackState state) throws IOException, InterruptedException {
    if (state != null) {
      for (StackState.Member member : state.members()) {
        ProcessHandle left = member.process();
        if (left != null) {
          ERR.println("Ending what was left: " + member);
          left.destroy();
          await(left);
        }
      }
      Files.deleteIfExists(stateFile);
    }
    Folders.remove(home.resolve("scratch"));
  }

  private static void await(ProcessHandle process) throws InterruptedException {
    try {
      process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | java.util.concurrent.ExecutionException e) {
      ERR.println("It does not stop, and is killed: process " + process.pid());
      process.destroyForcibly();
    }
  }

  // ---- status

  private int status() {
    StackState state = StackState.read(stateFile);
    if (state == null) {
      ERR.println("Nothing is up.");
      return 1;
    }
    return status(state);
  }

  private static int status(StackState state) {
    boolean supervised = state.supervisor().isAlive();
    if (!supervised) {
      ERR.println("  dead  " + state.supervisor());
    }
    for (StackState.Member member : state.members()) {
      ERR.println((member.isAlive() ? "  up    " : "  dead  ") + member);
    }
    boolean whole = supervised && state.dead().isEmpty();
    if (!whole) {
      ERR.println("`laurel stack down` and `laurel stack up` start what is dead anew.");
    }
    return whole ? 0 : 1;
  }
}
