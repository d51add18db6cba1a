package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The processes of a run and the folder they work in. All of them end, and the folder goes, when
 * the run does: on success, on failure and on Ctrl-C.
 *
 * <p>Safe for the main thread and the shutdown hook.
 */
final class Children {
  private final Path folder;
  private final List<Process> running = new ArrayList<>();
  private final Map<String, Process> servers = new HashMap<>();
  private boolean ended;

  /**
   * @param parent on the disk that is to be measured: a fsync in /tmp may cost nothing
   */
  Children(Path parent) throws IOException {
    Files.createDirectories(parent);
    folder = Files.createTempDirectory(parent, "side-by-side-");
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end-children"));
  }

  Path folder() {
    return folder;
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server and waits until it answers; its output goes to NAME.log. */
  Process start(
      String name,
      List<String> command,
      Path in,
      Map<String, String> env,
      Predicate<Process> answers) {
    Path log = folder.resolve(name + ".log");
    Process process = launch(command, in, env, log);
    long deadline = System.nanoTime() + Duration.ofSeconds(120).toNanos();
    while (!answers.test(process)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException(
            name + (process.isAlive() ? " does not answer" : " ended") + ":\n" + read(log));
      }
      pause(20);
    }
    servers.put(name, process);
    return process;
  }

  /** CPU seconds that servers have used so far, all of them together. */
  double cpuSeconds(String... names) {
    double seconds = 0;
    for (String name : names) {
      Process process = servers.get(name);
      if (process == null) {
        throw new IllegalStateException(name + ": not started");
      }
      seconds += process.info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
    }
    return seconds;
  }

  /** Runs a command to its end and returns what it printed. */
  String run(List<String> command) {
    return run(command, Map.of());
  }

  String run(List<String> command, Map<String, String> env) {
    Path log = folder.resolve("run-" + System.nanoTime() + ".log");
    Process process = launch(command, folder, env, log);
    try {
      if (!process.waitFor(15, TimeUnit.MINUTES)) {
        throw new IllegalStateException(String.join(" ", command) + ": not done after 15 minutes");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    forget(process);
    String output = read(log);
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          String.join(" ", command) + ": exit " + process.exitValue() + "\n" + output);
    }
    return output;
  }

  /** Ends one process in an orderly way. */
  void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    forget(process);
  }

  private synchronized Process launch(
      List<String> command, Path in, Map<String, String> env, Path log) {
    if (ended) {
      throw new IllegalStateException("the run is over");
    }
    ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
    builder.environment().putAll(env);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    try {
      Process process = builder.start();
      running.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void forget(Process process) {
    running.remove(process);
  }

  private synchronized void end() {
    ended = true;
    for (Process process : running) {
      // Workers of a cluster first: they are not ours to wait for.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("left behind: " + folder + " (" + e + ")");
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }
}
