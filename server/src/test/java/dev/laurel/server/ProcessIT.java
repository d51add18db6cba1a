package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The runnable jar and its launcher as processes of their own. */
class ProcessIT {
  private static final Path JAR = Path.of(System.getProperty("laurel.jar", "target/laurel.jar"));

  @TempDir Path folder = Path.of("");

  /** A started {@code laurel serve} and the port it said it listens on. */
  private record Served(Process process, int port, Path log) implements AutoCloseable {
    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }

    boolean answers() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(60_000);
        socket
            .getOutputStream()
            .write(
                "GET /v1/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        return TestServer.readAll(socket).startsWith("HTTP/1.1 200");
      } catch (IOException e) {
        return false;
      }
    }
  }

  private Served serve(String limit, String... options) throws IOException {
    Path log = folder.resolve("log");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", limit + "exec \"$@\"", "sh", java, "-Djava.io.tmpdir=" + folder));
    command.addAll(List.of("-jar", JAR.toString()));
    command.addAll(List.of("serve", "--port", "0"));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(log.toFile()).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    Pattern page = Pattern.compile("page +http://127\\.0\\.0\\.1:(\\d+)/");
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher matcher = page.matcher(line);
      if (matcher.find()) {
        return new Served(process, Integer.parseInt(matcher.group(1)), log);
      }
    }
    process.destroyForcibly();
    throw new AssertionError("did not start: " + Files.readString(log));
  }

  /** With the default cap, and with a cap so high that the descriptors do run out. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "100000"})
  void serve_moreConnectionsThanDescriptors_listensAfterwards(String cap) throws Exception {
    try (Served served = serve("ulimit -n 256; ", "--max-connections", cap)) {
      for (int round = 0; round < 3; round++) {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
          sockets.add(new Socket(InetAddress.getLoopbackAddress(), served.port()));
        }
        for (Socket socket : sockets) {
          socket.close();
        }
        Poll.until("the listener answers again", served::answers);
      }
    }
  }

  @Test
  void serve_moreConnectionsThanTheCap_answersThoseBelowIt() throws Exception {
    try (Served served = serve("ulimit -n 256; ")) {
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), served.port()));
      }
      assertThat(served.answers()).isTrue();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void serve_sigterm_stopsAndSaysSo() throws Exception {
    try (Served served = serve("")) {
      assertThat(served.answers()).isTrue();
      assertThat(folder.resolve("laurel-data")).isDirectory();
      served.process().destroy();
      assertThat(served.process().waitFor(2, TimeUnit.MINUTES)).isTrue();
      List<String> log = Files.readAllLines(served.log());
      assertThat(log).allMatch(line -> line.startsWith("{\"@timestamp\":"), "a JSON line");
      assertThat(log.getLast()).contains("\"stopped\"");
    }
  }

  /** With so little it does not even start; nothing of it may stay behind half alive. */
  @Test
  void launcher_heapExhausted_endsWithStatusThree() throws Exception {
    Path root = JAR.toAbsolutePath().resolve("../../..").normalize();
    ProcessBuilder builder =
        new ProcessBuilder(root.resolve("laurel").toString(), "serve", "--port", "0")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile());
    builder.environment().put("LAUREL_JAVA_OPTS", "-Xmx12m -Djava.io.tmpdir=" + folder);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isEqualTo(3);
      assertThat(Files.readString(folder.resolve("out"))).contains("OutOfMemoryError");
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  void launcher_throughASymlinkFromElsewhere_runsTheJar() throws Exception {
    Path root = JAR.toAbsolutePath().resolve("../../..").normalize();
    Path link = Files.createSymbolicLink(folder.resolve("l"), root.resolve("laurel"));
    Process process =
        new ProcessBuilder(link.toString(), "version")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out).contains("laurel " + Version.current());
  }
}
