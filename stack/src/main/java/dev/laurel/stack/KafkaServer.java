package dev.laurel.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker of our own, which is its own controller, as a process on the jars of this class
 * path. It keeps its port and its data over stops and kills.
 */
public final class KafkaServer implements AutoCloseable {
  private static final String CLUSTER = "bGF1cmVsLXN0YWNrLWthZg";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path folder;
  private final int port;
  private @Nullable Process running;

  /** One for all tests of a process, started at its first use. */
  private static final class Shared {
    static final KafkaServer SERVER = startInNewFolder();

    private static KafkaServer startInNewFolder() {
      try {
        Path folder = Files.createTempDirectory("laurel-kafka");
        KafkaServer server = start(folder);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.remove(folder)));
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private KafkaServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** The server of this process. */
  public static KafkaServer shared() {
    return Shared.SERVER;
  }

  /** Starts on a free port; in a new folder storage is formatted. */
  public static KafkaServer start(Path folder) {
    KafkaServer server = new KafkaServer(folder.resolve("kafka"), freePort());
    server.configure(freePort());
    server.start();
    return server;
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void configure(int controllerPort) {
    String listeners =
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort);
    Map<String, Object> settings =
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", 1),
            Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controllerPort),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("listeners", listeners),
            Map.entry("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port),
            Map.entry("log.dirs", folder.resolve("data")),
            Map.entry("num.partitions", 1),
            Map.entry("offsets.topic.num.partitions", 1),
            Map.entry("offsets.topic.replication.factor", 1),
            Map.entry("transaction.state.log.replication.factor", 1),
            Map.entry("transaction.state.log.min.isr", 1),
            Map.entry("share.coordinator.state.topic.replication.factor", 1),
            Map.entry("share.coordinator.state.topic.min.isr", 1),
            Map.entry("min.insync.replicas", 1),
            Map.entry("auto.create.topics.enable", false),
            Map.entry("group.initial.rebalance.delay.ms", 0),
            Map.entry("group.min.session.timeout.ms", 1000),
            Map.entry("log.cleaner.dedupe.buffer.size", 8_388_608),
            Map.entry("broker.session.timeout.ms", 2000),
            Map.entry("broker.heartbeat.interval.ms", 500));
    StringBuilder text = new StringBuilder();
    settings.forEach((name, value) -> text.append(name + "=" + value + "\n"));
    try {
      Files.createDirectories(folder);
      Files.writeString(file(), text.toString());
      run("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", file().toString())
          .onExit()
          .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file() {
    return folder.resolve("server.properties");
  }

  private Process run(String main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  /** Starts again what was stopped or killed, on the same port. */
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException("it is running");
    }
    try {
      Process process = run("kafka.Kafka", file().toString());
      running = process;
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      await(process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await(Process process) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("Kafka does not start: see " + folder.resolve("log"));
      }
      LockSupport.parkNanos(50_000_000);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** An orderly end. */
  public void stop() {
    end(false);
  }

  /** As if the machine had lost its power; {@link #start} recovers. */
  public void kill() {
    end(true);
  }

  private synchronized void end(boolean forcibly) {
    Process process = running;
    running = null;
    if (process != null) {
      if (forcibly) {
        process.destroyForcibly();
      } else {
        process.destroy();
      }
      process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
  }

  public synchronized long pid() {
    Process process = running;
    if (process == null) {
      throw new IllegalStateException("it is not running");
    }
    return process.pid();
  }

  public int port() {
    return port;
  }

  /** For clients: {@code bootstrap.servers}. */
  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  private void remove(Path root) {
    kill();
    Folders.remove(root);
  }

  @Override
  public void close() {
    kill();
  }
}
