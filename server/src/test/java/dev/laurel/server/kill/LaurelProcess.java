package dev.laurel.server.kill;

import dev.laurel.stack.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code laurel serve} as a process of its own, which can be killed. */
final class LaurelProcess implements AutoCloseable {
  static final String ADMIN_KEY = "kill-test-admin-key-0123456789";
  private static final Path JAR = Path.of(System.getProperty("laurel.jar", "target/laurel.jar"));
  private static final Pattern PAGE = Pattern.compile("page +(http://127\\.0\\.0\\.1:\\d+)/");

  private final Process process;
  private final Path log;

  private LaurelProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it and returns at once.
   *
   * @param folder holds the data, the log and the class archive, which the first clean stop leaves
   * @param options beside the port and the data folder
   */
  static LaurelProcess spawn(Path folder, Path archive, String... options) throws IOException {
    return spawnBy(List.of(), folder, archive, options);
  }

  /** The same, started by another program: {@code by} and then the command. */
  static LaurelProcess spawnBy(List<String> by, Path folder, Path archive, String... options)
      throws IOException {
    List<String> java =
        List.of(
            "-XX:+AutoCreateSharedArchive",
            "-XX:SharedArchiveFile=" + archive,
            "-Xlog:cds=off",
            "-Xlog:cds+dynamic=off",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC");
    return spawn(by, java, folder, options);
  }

  /** As the launcher starts it, with so many megabytes of heap. */
  static LaurelProcess spawnSmall(int megabytes, Path folder, String... options)
      throws IOException {
    List<String> java =
        List.of("-Xmx" + megabytes + "m", "-XX:+UseCompactObjectHeaders", "-XX:+UseG1GC");
    return spawn(List.of(), java, folder, options);
  }

  private static LaurelProcess spawn(
      List<String> by, List<String> java, Path folder, String... options) throws IOException {
    Path log = folder.resolve("stderr.log");
    List<String> command = new ArrayList<>(by);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder, // what a killed one leaves goes with the test
            "-jar",
            JAR.toString(),
            "serve",
            "--port",
            "0",
            "--data",
            folder.resolve("data").toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LAUREL_ADMIN_KEY", ADMIN_KEY);
    builder.directory(folder.toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new LaurelProcess(builder.start(), log);
  }

  /** A clean stop leaves the class archive that halves every start after it. */
  static Path makeArchive(Path folder) throws Exception {
    Path archive = folder.resolve("laurel.jsa");
    Path elsewhere = Files.createDirectory(folder.resolve("archive"));
    try (LaurelProcess laurel = spawn(elsewhere, archive)) {
      laurel.awaitReady();
      laurel.stop();
    }
    return archive;
  }

  /** Waits for the greeting and returns the address in it. */
  String awaitReady() throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher matcher = PAGE.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    throw new AssertionError("did not start: " + Files.readString(log));
  }

  /** As a machine that swaps, or a garbage collection that does not end. */
  void pause() {
    Signals.pause(List.of(pid()));
  }

  void resume() {
    Signals.resume(List.of(pid()));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has logged. */
  String log() throws IOException {
    return Files.readString(log);
  }

  long pid() {
    return process.pid();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** SIGTERM. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      throw new AssertionError("does not stop");
    }
  }

  @Override
  public void close() {
    kill();
  }
}
