package dev.laurel.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server of our own that keeps its port over stops. It keeps nothing on disk unless told by
 * {@link #call} (SAVE), and then starts with that again.
 */
public final class RedisServer implements AutoCloseable {
  /** The bus of a cluster is this much above the port, and must be a port too. */
  private static final int BUS = 10_000;

  private final Path folder;
  private final int port;
  private final List<String> arguments;
  private @Nullable Process running;

  private RedisServer(Path folder, int port, List<String> arguments) {
    this.folder = folder;
    this.port = port;
    this.arguments = arguments;
  }

  /** Starts on a free port. */
  public static RedisServer start(Path folder, String... options) {
    int port = freePort();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(
        List.of("--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--dir", "" + folder));
    arguments.addAll(List.of(options));
    RedisServer server = new RedisServer(folder, port, arguments);
    server.start();
    return server;
  }

  /** Starts another one that follows this one. */
  public RedisServer replica(Path itsFolder) {
    return start(itsFolder, "--replicaof", "127.0.0.1", "" + port);
  }

  /** Starts a sentinel that watches this one, and alone decides to put a replica in its place. */
  public RedisServer sentinel(Path itsFolder, String name) {
    int itsPort = freePort();
    Path settings = itsFolder.resolve("sentinel.conf");
    try {
      Files.createDirectories(itsFolder);
      Files.writeString(
          settings,
          """
          port %d
          bind 127.0.0.1
          dir "%s"
          sentinel monitor %s 127.0.0.1 %d 1
          sentinel down-after-milliseconds %s 500
          sentinel failover-timeout %s 2000
          """
              .formatted(itsPort, itsFolder, name, port, name, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    RedisServer sentinel =
        new RedisServer(itsFolder, itsPort, List.of(settings.toString(), "--sentinel"));
    sentinel.start();
    return sentinel;
  }

  private static int freePort() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
      if (isFree(port) && isFree(port + BUS)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port found");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts again what was stopped, on the same port. */
  public void start() {
    if (running != null) {
      throw new IllegalStateException("it is running");
    }
    List<String> command = new ArrayList<>();
    command.add(binary().toString());
    command.addAll(arguments);
    try {
      Files.createDirectories(folder);
      running =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(folder.resolve("redis.log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!answers()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("redis on port " + port + " did not start, see " + folder);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  private boolean answers() {
    try {
      return call("PING").equals("PONG");
    } catch (IllegalStateException | UncheckedIOException e) {
      return false; // loading, or not listening yet
    }
  }

  private static Path binary() {
    String name =
        "redis-server-7.0.15-%s-%s"
            .formatted(Programs.system(), Programs.isArm() ? "arm64" : "amd64");
    return Programs.besideClasses()
        .unpacked(name, folder -> unpack(name, folder.resolve("redis-server")))
        .resolve("redis-server");
  }

  private static void unpack(String name, Path program) throws IOException {
    try (InputStream in = RedisServer.class.getResourceAsStream("/" + name)) {
      Files.copy(Objects.requireNonNull(in), program);
    }
    if (!program.toFile().setExecutable(true)) {
      throw new IOException("cannot make executable: " + program);
    }
  }

  /** Ends it at once: whatever was not saved is gone. */
  public void stop() {
    Process stopping = running;
    running = null;
    if (stopping != null) {
      stopping.destroyForcibly();
      stopping.onExit().orTimeout(2, TimeUnit.MINUTES).join();
    }
  }

  /** Holds it still, as a machine that swaps or a network that is cut does. */
  public void pause() {
    Signals.pause(List.of(pid()));
  }

  public void resume() {
    Signals.resume(List.of(pid()));
  }

  public long pid() {
    Process process = running;
    if (process == null) {
      throw new IllegalStateException("it is not running");
    }
    return process.pid();
  }

  /** One command on a connection of its own; an error reply is an exception. */
  public String call(String... command) {
    return RedisProtocol.call(port, command);
  }

  public int port() {
    return port;
  }

  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    stop();
  }
}
