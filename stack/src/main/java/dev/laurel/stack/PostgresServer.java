package dev.laurel.stack;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server of our own that keeps its port and its data over stops and kills. */
public final class PostgresServer implements AutoCloseable {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final Path data;
  private final int port;
  private @Nullable EmbeddedPostgres running;

  /** One for all tests of a process, started at its first use. */
  private static final class Shared {
    static final PostgresServer SERVER =
        OnePerProcess.start("postgres", PostgresServer::start, PostgresServer::kill);
  }

  private PostgresServer(Path data, int port) {
    this.data = data;
    this.port = port;
  }

  /** The server of this process, for those who neither stop nor pause it. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /** Starts on a free port; in a new folder a cluster is made. */
  public static PostgresServer start(Path folder) {
    PostgresServer server = new PostgresServer(folder.resolve("postgres"), freePort());
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

  /**
   * A second server that repeats all that this one does, a moment later, and takes no writes until
   * it is promoted. Connections to this one are cut.
   */
  public synchronized PostgresServer replica(Path folder) {
    PostgresServer replica = new PostgresServer(folder.resolve("postgres"), freePort());
    stop();
    try (Stream<Path> files = Files.walk(data)) {
      Files.createDirectories(folder);
      for (Path file : files.toList()) {
        Path copy = replica.data.resolve(data.relativize(file).toString());
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
      Files.createFile(replica.data.resolve("standby.signal"));
      Files.writeString(
          replica.data.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'%n".formatted(port),
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      start();
    }
    replica.start();
    return replica;
  }

  /** Makes a replica a server that takes writes. */
  public void promote() {
    execute("SELECT pg_promote()");
  }

  /** Starts again what was stopped or killed, on the same port. */
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException("it is running");
    }
    try {
      running =
          EmbeddedPostgres.builder()
              .setPort(port)
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              // Off by default there, for tests that do not mind to lose data. These do.
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An orderly end: connections are cut, what was committed is in the files. */
  public synchronized void stop() {
    EmbeddedPostgres stopping = running;
    running = null;
    if (stopping != null) {
      try {
        stopping.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** As if the machine had lost its power; {@link #start} recovers. */
  public synchronized void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }
    stop(); // finds nobody, and gives the folder free
  }

  /** Holds every process of it still, as a machine that swaps or a network that is cut does. */
  public void pause() {
    Signals.pause(pids());
  }

  public void resume() {
    Signals.resume(pids());
  }

  private List<Long> pids() {
    return processes().stream().map(ProcessHandle::pid).toList();
  }

  /** The postmaster first: it would start others in the place of those it misses. */
  private List<ProcessHandle> processes() {
    try {
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
      return ProcessHandle.of(Long.parseLong(pid)).stream()
          .flatMap(master -> Stream.concat(Stream.of(master), master.descendants()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  /** The process that all others of it belong to. */
  public long pid() {
    return processes().getFirst().pid();
  }

  /** Makes a database that nobody has used. */
  public String newDatabase() {
    String name = "laurel_" + DATABASES.incrementAndGet();
    execute("CREATE DATABASE " + name);
    return name;
  }

  /** Where a database of this server is, for JDBC. */
  public String url(String database) {
    return url(database, port);
  }

  /** The same by way of another port, such as a proxy's. */
  public static String url(String database, int port) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres".formatted(port, database);
  }

  /** Runs a statement as the server's owner. */
  public synchronized void execute(String sql) {
    EmbeddedPostgres server = running;
    if (server == null) {
      throw new IllegalStateException("it is not running");
    }
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
