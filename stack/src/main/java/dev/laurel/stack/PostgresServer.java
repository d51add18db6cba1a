package dev.laurel.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server of our own that keeps its port and its data over stops and kills. */
public final class PostgresServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final Path data;
  private final int port;
  private final boolean durable;
  private @Nullable Process running;

  /** One for all tests of a process, started at its first use. */
  private static final class Shared {
    static final PostgresServer SERVER =
        OnePerProcess.start("postgres", PostgresServer::startHasty, PostgresServer::abandon);
  }

  private PostgresServer(Path data, int port, boolean durable) {
    this.data = data;
    this.port = port;
    this.durable = durable;
  }

  /** The server of this process, for those who neither stop nor pause it. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /** Starts on a free port; in a new folder a cluster is made. */
  public static PostgresServer start(Path folder) {
    return start(folder, true);
  }

  /** One that nobody kills: it need not wait for the disk. */
  private static PostgresServer startHasty(Path folder) {
    return start(folder, false);
  }

  private static PostgresServer start(Path folder, boolean durable) {
    PostgresServer server = new PostgresServer(folder.resolve("postgres"), freePort(), durable);
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
    PostgresServer replica = new PostgresServer(folder.resolve("postgres"), freePort(), durable);
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

  /** From now on a replica hears nothing more: it lags behind whatever is committed. */
  public void cutOff() {
    execute("ALTER SYSTEM SET primary_conninfo = ''");
    execute("SELECT pg_reload_conf()");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (hears()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the replica still hears of its primary: see " + log());
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private boolean hears() {
    try (Connection connection = DriverManager.getConnection(url("postgres"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 1 FROM pg_stat_wal_receiver")) {
      return rows.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
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
    PostgresPrograms programs = new PostgresPrograms(Programs.besideClasses());
    try {
      if (!Files.exists(data)) {
        makeCluster(programs);
      }
      Process process =
          new ProcessBuilder(command(programs))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
      running = process;
      await(process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> command(PostgresPrograms programs) {
    List<String> command =
        programs.command("postgres", "-D", data.toString(), "-h", "127.0.0.1", "-p", "" + port);
    // A socket among the temporary files would outlive a server that is killed.
    command.addAll(List.of("-c", "unix_socket_directories="));
    command.addAll(List.of("-c", "timezone=UTC", "-c", "max_connections=300"));
    if (!durable) {
      command.add("-F");
    }
    return command;
  }

  /** In a folder that gets its name when it is whole: a process may be killed in between. */
  private void makeCluster(PostgresPrograms programs) throws IOException {
    Path made = data.resolveSibling(data.getFileName() + ".part");
    Folders.remove(made);
    Files.createDirectories(made);
    programs.run("initdb", "-D", made.toString(), "-A", "trust", "-U", "postgres", "-E", "UTF-8");
    Files.move(made, data, StandardCopyOption.ATOMIC_MOVE);
  }

  private Path log() {
    return data.resolveSibling(data.getFileName() + ".log");
  }

  private void await(Process process) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("PostgreSQL does not start: see " + log());
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url("postgres"))) {
      return connection.isValid(0);
    } catch (SQLException e) {
      return false; // it does not listen yet, or recovers
    }
  }

  /** An orderly end: connections are cut, what was committed is in the files. */
  public synchronized void stop() {
    end(Signals::interrupt);
  }

  /** An end without a last look at the files, which are not needed any more. */
  private synchronized void abandon() {
    end(Signals::quit);
  }

  private void end(LongConsumer signal) {
    Process process = running;
    running = null;
    if (process != null && process.isAlive()) {
      signal.accept(process.pid());
      process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
  }

  /** As if the machine had lost its power; {@link #start} recovers. */
  public synchronized void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
    running = null;
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
  private synchronized List<ProcessHandle> processes() {
    Process master = running;
    if (master == null) {
      throw new IllegalStateException("it is not running");
    }
    return Stream.concat(Stream.of(master.toHandle()), master.descendants()).toList();
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
  public void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url("postgres"));
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
