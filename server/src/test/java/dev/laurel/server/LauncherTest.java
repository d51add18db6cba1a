package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code laurel} in a checkout of its own, whose Maven only says what a real one says.
 */
class LauncherTest {
  private static final Path LAUNCHER = Path.of("..", "laurel");

  @TempDir Path folder = Path.of("");
  private Path checkout = Path.of("");

  /** What stands for the server. */
  static final class Greeting {
    private Greeting() {}

    public static void main(String[] args) {
      System.out.println("this is " + String.join(" ", args));
    }
  }

  @BeforeEach
  void checkOut() throws IOException {
    checkout = Files.createDirectory(folder.resolve("check out"));
    Files.copy(LAUNCHER, checkout.resolve("laurel"));
    Files.writeString(checkout.resolve("pom.xml"), "");
    Path sources = Files.createDirectories(checkout.resolve("server/src/main/java"));
    Files.writeString(sources.resolve("A.java"), "");
    Files.createDirectories(checkout.resolve("core"));
    Files.createDirectories(checkout.resolve("adapters"));
    try (OutputStream file = Files.newOutputStream(folder.resolve("made.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest())) {
      String name = Greeting.class.getName().replace('.', '/') + ".class";
      jar.putNextEntry(new JarEntry(name));
      try (var in = Greeting.class.getClassLoader().getResourceAsStream(name)) {
        jar.write(java.util.Objects.requireNonNull(in).readAllBytes());
      }
    }
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Greeting.class.getName());
    return manifest;
  }

  /** Puts a Maven on the path that counts how often it is called, and then does this. */
  private void maven(String script) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path maven = bin.resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/sh
        echo "$@" >>'%s'
        made='%s'
        target='%s'
        mkdir -p "$target"
        echo '[INFO] Downloading from central: one'
        echo '[INFO] Downloaded from central: one (1 kB at 1 kB/s)'
        echo '[INFO] Downloaded from central: two (1 kB at 1 kB/s)'
        echo '[INFO] Building laurel-core 0.1.0-SNAPSHOT                   [2/10]'
        %s
        """
            .formatted(
                folder.resolve("calls"),
                folder.resolve("made.jar"),
                checkout.resolve("server/target/lean"),
                script));
    assertThat(maven.toFile().setExecutable(true)).isTrue();
  }

  private ProcessBuilder laurel(String... words) {
    List<String> command = new ArrayList<>(List.of("sh", checkout.resolve("laurel").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().merge("PATH", "", (path, _) -> folder.resolve("bin") + ":" + path);
    return builder;
  }

  private static String said(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private long calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls")).size();
  }

  @Test
  void start_nothingBuilt_buildsOnceAndRuns() throws Exception {
    maven("cp \"$made\" \"$target/laurel.jar\"");
    Process first = laurel("version").start();
    assertThat(said(first)).startsWith("laurel: building ").endsWith("this is version\n");
    assertThat(Files.readString(folder.resolve("calls"))).contains("-Dlean", "-pl server -am");

    assertThat(said(laurel("help").start())).isEqualTo("this is help\n");
    assertThat(calls()).isEqualTo(1);

    Files.setLastModifiedTime(
        checkout.resolve("server/src/main/java/A.java"),
        java.nio.file.attribute.FileTime.from(java.time.Instant.now().plusSeconds(60)));
    assertThat(said(laurel("help").start())).endsWith("this is help\n");
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void start_mavenIsSlow_saysHowFarItIs() throws Exception {
    maven(
        "while [ ! -e '"
            + folder.resolve("go")
            + "' ]; do sleep 0.1; done; cp \"$made\" \"$target/laurel.jar\"");
    Process process = laurel("version").start();
    try (var lines = process.inputReader()) {
      String line = lines.readLine();
      while (line != null && !line.contains("fetched")) {
        line = lines.readLine();
      }
      Files.createFile(folder.resolve("go"));
      assertThat(line).contains(": 2 files fetched, module 2 of 10 (laurel-core)");
      assertThat(lines.lines().toList().getLast()).isEqualTo("this is version");
    }
  }

  @Test
  void start_twoAtOnce_oneBuildsForBoth() throws Exception {
    maven("sleep 0.5; cp \"$made\" \"$target/laurel.jar\"");
    Process one = laurel("one").start();
    Process two = laurel("two").start();
    assertThat(said(one)).endsWith("this is one\n");
    assertThat(said(two)).endsWith("this is two\n");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void start_buildFails_saysWhyAndTheNextOneBuildsAgain() throws Exception {
    maven("echo half >\"$target/laurel.jar\"; echo '[ERROR] it does not compile'; exit 1");
    Process failed = laurel("version").start();
    assertThat(said(failed)).contains("[ERROR] it does not compile", "laurel-build.log");
    assertThat(failed.waitFor()).isEqualTo(1);

    maven("cp \"$made\" \"$target/laurel.jar\"");
    assertThat(said(laurel("version").start())).endsWith("this is version\n");
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void start_afterOneThatWasKilled_builds() throws Exception {
    maven("echo half >\"$target/laurel.jar\"; touch '" + folder.resolve("begun") + "'; sleep 1000");
    Process killed = laurel("version").start();
    Poll.until("it builds", () -> Files.exists(folder.resolve("begun")));
    try (Stream<ProcessHandle> children = killed.descendants()) {
      List<ProcessHandle> all = new ArrayList<>(children.toList());
      all.add(killed.toHandle());
      for (ProcessHandle process : all) {
        process.destroyForcibly();
        process.onExit().join();
      }
    }
    maven("cp \"$made\" \"$target/laurel.jar\"");
    assertThat(said(laurel("version").start())).endsWith("this is version\n");
  }
}
