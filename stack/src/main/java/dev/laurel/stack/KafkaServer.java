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

  private static final String PASSWORD = "a-password-of-the-stack";

  private final Path folder;
  private final int port;
  private final int securePort;
  private @Nullable Process running;

  /** One for all tests of a process, started at its first use. */
  private static final class Shared {
    static final KafkaServer SERVER =
        OnePerProcess.start("kafka", KafkaServer::start, KafkaServer::kill);
  }

  private KafkaServer(Path folder, int port, int securePort) {
    this.folder = folder;
    this.port = port;
    this.securePort = securePort;
  }

  /** The server of this process. */
  public static KafkaServer shared() {
    return Shared.SERVER;
  }

  /** Starts on a free port; in a new folder storage is formatted. */
  public static KafkaServer start(Path folder) {
    KafkaServer server = new KafkaServer(folder.resolve("kafka"), freePort(), 0);
    server.configure(freePort(), Map.of());
    server.start();
    return server;
  }

  /** With a second door, {@link #secureBootstrap}, that wants TLS and a password. */
  public static KafkaServer startSecured(Path folder) {
    KafkaServer server = new KafkaServer(folder.resolve("kafka"), freePort(), freePort());
    server.configure(freePort(), server.security());
    server.start();
    return server;
  }

  private Map<String, Object> security() {
    makeCertificate();
    return Map.of(
        // Kafka takes it for granted only where all doors are open.
        "listener.security.protocol.map",
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL",
        "ssl.keystore.location",
        certificate(),
        "ssl.keystore.password",
        PASSWORD,
        "sasl.enabled.mechanisms",
        "PLAIN",
        "listener.name.sasl_ssl.plain.sasl.jaas.config",
        login("user_laurel=\"" + PASSWORD + "\""));
  }

  private static String login(String options) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required " + options + ";";
  }

  private Path certificate() {
    return folder.resolve("certificate.p12");
  }

  private void makeCertificate() {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options = "-genkeypair -alias kafka -keyalg EC -dname CN=kafka -ext SAN=ip:127.0.0.1";
    List<String> command = new ArrayList<>(List.of(keytool));
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of("-storepass", PASSWORD, "-keystore", certificate().toString()));
    try {
      Files.createDirectories(folder);
      int code = new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException(keytool + ": exit code " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** For clients of the second door: {@code bootstrap.servers}. */
  public String secureBootstrap() {
    return "127.0.0.1:" + securePort;
  }

  /** What those have to say besides. */
  public Map<String, String> secureProperties() {
    return Map.of(
        "security.protocol",
        "SASL_SSL",
        "sasl.mechanism",
        "PLAIN",
        "sasl.jaas.config",
        login("username=\"laurel\" password=\"" + PASSWORD + "\""),
        "ssl.truststore.location",
        certificate().toString(),
        "ssl.truststore.password",
        PASSWORD);
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void configure(int controllerPort, Map<String, Object> more) {
    String open =
        "PLAINTEXT://127.0.0.1:"
            + port
            + (more.isEmpty() ? "" : ",SASL_SSL://" + secureBootstrap());
    String listeners = open + ",CONTROLLER://127.0.0.1:" + controllerPort;
    Map<String, Object> settings =
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", 1),
            Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controllerPort),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("listeners", listeners),
            Map.entry("advertised.listeners", open),
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
    more.forEach((name, value) -> text.append(name + "=" + value + "\n"));
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
                "-Djava.io.tmpdir=" + folder, // libraries it unpacks, and leaves when it is killed
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

  @Override
  public void close() {
    kill();
  }
}
