package dev.laurel.benchmarks.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Laurel with a small heap, as a process of its own, and what it uses. Thread-safe. */
public final class SoakServer implements AutoCloseable {
  public static final String KEY = "soak-admin-key-0123456789";
  private static final int START_SECONDS = 120;
  private static final int STOP_SECONDS = 60;
  private static final Pattern AFTER_GC = Pattern.compile("Pause (?:Young|Full) .*->(\\d+)M\\(");
  private static final Pattern AFTER_FULL_GC =
      Pattern.compile("Pause Full \\(Diagnostic.*->(\\d+)M\\(");

  private final Process process;
  private final Path folder;
  private final int port;
  private final Thread hook = new Thread(this::end, "end-server");

  private SoakServer(Process process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts it with the flags of the launcher, and waits until it answers.
   *
   * @param options of {@code laurel serve}, beside the port and the data folder
   */
  public static SoakServer start(Path folder, int heapMegabytes, String... options)
      throws IOException, InterruptedException {
    int port = freePort();
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx" + heapMegabytes + "m",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xlog:gc:file=" + folder.resolve("gc.log"),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.laurel.server.Main",
            "serve",
            "--port",
            "" + port,
            "--data",
            folder.resolve("data").toString(),
            "--address-rate-per-minute",
            "0",
            "--address-read-rate-per-minute",
            "0"));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(folder.toFile()).redirectOutput(folder.resolve("log").toFile());
    builder.environment().put("LAUREL_ADMIN_KEY", KEY);
    SoakServer server = new SoakServer(builder.start(), folder, port);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!server.answers()) {
      if (!server.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("it did not start: " + server.log());
      }
      Thread.sleep(50);
    }
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean answers() {
    try (SoakConnection connection = new SoakConnection(port)) {
      return connection.call("GET", "/api/v1/ready", "").status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  public int port() {
    return port;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** Megabytes of heap in use after the last collection of any kind. */
  public double heapAfterGc() throws IOException {
    return last(AFTER_GC);
  }

  /** Megabytes of heap in use after the last {@link #collect}: what is really held. */
  public double live() throws IOException {
    return last(AFTER_FULL_GC);
  }

  private double last(Pattern pattern) throws IOException {
    double found = Double.NaN;
    try (Stream<String> lines = Files.lines(folder.resolve("gc.log"))) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher matcher = pattern.matcher(line);
        if (matcher.find()) {
          found = Double.parseDouble(matcher.group(1));
        }
      }
    }
    return found;
  }

  /** Collects all garbage; the server stands still meanwhile. */
  public void collect() throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), "" + process.pid(), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    asked.waitFor(START_SECONDS, TimeUnit.SECONDS);
  }

  public double residentMegabytes() throws IOException {
    return status("VmRSS") / 1024.0;
  }

  long threads() throws IOException {
    return status("Threads");
  }

  private long status(String name) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException(name + " is not in the status of the process");
  }

  long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return open.count();
    }
  }

  public double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
  }

  @Override
  public void close() {
    end();
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  private void end() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
