package dev.laurel.benchmarks;

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
import org.jspecify.annotations.Nullable;

/** What is watched: Laurel or the rival, as a process of its own, and what it uses. */
final class LiveServer implements AutoCloseable {
  private static final Pattern HEAP = Pattern.compile("used (\\d+)K");

  private final Process process;

  private LiveServer(Process process) {
    this.process = process;
  }

  /**
   * Starts it, and waits until it answers.
   *
   * @param redis of the rival; null for Laurel
   */
  static LiveServer start(Path folder, int port, @Nullable String redis) throws Exception {
    return redis == null
        ? laurel(folder, port, List.of("--sse-clients-per-address", "0"))
        : launch(
            folder,
            port,
            "/",
            List.of("dev.laurel.benchmarks.rivals.VertxBroadcast", "" + port, redis));
  }

  /** Laurel with more options. */
  static LiveServer laurel(Path folder, int port, List<String> options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
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
    command.addAll(options);
    return launch(folder, port, "/api/v1/health", command);
  }

  private static LiveServer launch(Path folder, int port, String probe, List<String> main)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseG1GC",
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx2g",
            "-cp",
            System.getProperty("java.class.path")));
    command.addAll(main);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    builder.environment().put("LAUREL_ADMIN_KEY", PlainConnection.KEY);
    Process process = builder.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (PlainConnection connection = new PlainConnection(port)) {
        connection.call("GET", probe, "");
        return new LiveServer(process);
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IllegalStateException(Files.readString(folder.resolve("log")), e);
        }
        Thread.sleep(20);
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Live objects, in bytes. */
  long heap() throws Exception {
    jcmd("GC.run");
    Matcher used = HEAP.matcher(jcmd("GC.heap_info"));
    if (!used.find()) {
      throw new IllegalStateException("GC.heap_info says nothing of the heap");
    }
    return 1024 * Long.parseLong(used.group(1));
  }

  private String jcmd(String command) throws Exception {
    Path java = Path.of(ProcessHandle.current().info().command().orElseThrow());
    return said(java.resolveSibling("jcmd").toString(), "" + process.pid(), command);
  }

  private static String said(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + said);
    }
    return said;
  }

  /** From now on; what it is sized by stays as it was. */
  void keepTo(String cores) throws Exception {
    keepTo(process.pid(), cores);
  }

  static void keepTo(long pid, String cores) throws Exception {
    said("taskset", "-a", "-c", "-p", cores, "" + pid);
  }

  /** Memory of the process, in bytes. */
  long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
