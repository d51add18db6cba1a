package dev.laurel.server.sdk;

import dev.laurel.server.page.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** TypeScript's own compiler, from its WebJar, run by the machine's Node. */
final class TypeScriptCompiler {
  private static final String IN_JAR = "/META-INF/resources/webjars/typescript/5.9.3/lib";

  private static final int PATIENCE_SECONDS = 300;

  private final Path tsc;

  /**
   * @param folder where the compiler is unpacked
   */
  TypeScriptCompiler(Path folder) {
    URL jar = TypeScriptCompiler.class.getResource(IN_JAR + "/tsc.js");
    if (jar == null) {
      throw new AssertionError(
          IN_JAR + ": not on the class path (expected: the WebJar typescript)");
    }
    try {
      URI uri = jar.toURI();
      try (FileSystem files = FileSystems.newFileSystem(uri, Map.of());
          var all = Files.list(files.getPath(IN_JAR))) {
        Files.createDirectories(folder);
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          Path to = folder.resolve(String.valueOf(file.getFileName()));
          Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    tsc = folder.resolve("tsc.js");
  }

  /** Compiles a project; its output is Node's, so that what is wrong is in the test's message. */
  void compile(Path project, Path out) {
    node(Map.of(), tsc.toString(), "-p", project.toString(), "--outDir", out.toString());
  }

  /** Runs Node until it ends; anything but success fails the test with all it has said. */
  static String node(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Tools.node().toString()));
    command.addAll(List.of(arguments));
    try {
      Path said = Files.createTempFile("laurel-node", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      String text = Files.readString(said);
      Files.delete(said);
      if (!ended || process.exitValue() != 0) {
        throw new AssertionError(String.join(" ", command) + "\n" + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
