package dev.laurel.server.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A {@code laurel serve} of its own process, as the launcher starts it: same Java, same flags, same
 * jar. On a free port and a new folder, both gone when it is closed or when this process ends.
 */
final class StartedServer implements AutoCloseable {
  private static final Pattern PAGE = Pattern.compile("page +(https?://\\S+:\\d+)/");
  private static final int STOP_SECONDS = 20;

  private final Process process;
  private final Path folder;
  private final String key;
  private final Thread hook = new Thread(this::end, "bench-cleanup");
  private String url = "";

  private StartedServer(Process process, Path folder, String key) {
    this.process = process;
    this.folder = folder;
    this.key = key;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static StartedServer start() {
    try {
      Path folder = Files.createTempDirectory("laurel-bench");
      String key = "bench-" + UUID.randomUUID();
      ProcessBuilder builder = new ProcessBuilder(command(folder.resolve("data")));
      builder.environment().put("LAUREL_ADMIN_KEY", key);
      builder.redirectError(folder.resolve("log").toFile());
      StartedServer server = new StartedServer(builder.start(), folder, key);
      try {
        server.awaitGreeting();
        return server;
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(Path data) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      // What watches this process should not watch the other, nor fight with it for a port or file.
      if (!flag.startsWith("-agentlib:")
          && !flag.startsWith("-javaagent:")
          && !flag.startsWith("-XX:StartFlightRecording")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.laurel.server.Main", "serve", "--host", "127.0.0.1"));
    command.addAll(List.of("--port", "0", "--data", data.toString()));
    return command;
  }

  private void awaitGreeting() {
    try {
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        Matcher matcher = PAGE.matcher(line);
        if (matcher.find()) {
          url = matcher.group(1);
        } else if (line.startsWith("Stop it")) {
          return; // The last line: nothing more is written, so the pipe cannot fill.
        }
      }
      throw new BenchException(
          "the server did not start: " + Files.readString(folder.resolve("log")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return url;
  }

  String key() {
    return key;
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook with it.
    }
  }

  private synchronized void end() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    remove(folder);
  }

  private static void remove(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
