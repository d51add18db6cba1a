package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts the services that Laurel is compared with. */
final class Rivals {
  private static final String KEY = "side-by-side-0123456789-0123456789";
  private static final String RIVALS = "dev.laurel.benchmarks.rivals.";

  private final Children children;
  private final Path root;

  Rivals(Children children, Path root) {
    this.children = children;
    this.root = root;
  }

  Api lettuce(Redis redis) {
    int port = Children.freePort();
    List<String> command = java(RIVALS + "VertxLettuce", "" + port, "" + redis.port(), KEY);
    return started("lettuce", command, children.folder(), port);
  }

  Api bare(int bytes) {
    int port = Children.freePort();
    return started(
        "bare", java(RIVALS + "BareVertx", "" + port, "" + bytes), children.folder(), port);
  }

  Api fastify(Redis redis, int workers) {
    Path folder = root.resolve("benchmarks/rivals/fastify");
    if (!Files.isDirectory(folder.resolve("node_modules"))) {
      throw new IllegalStateException("run npm ci in " + folder);
    }
    int port = Children.freePort();
    List<String> command =
        List.of(
            "node",
            "server.js",
            "--port",
            "" + port,
            "--redis-port",
            "" + redis.port(),
            "--key",
            KEY,
            "--workers",
            "" + workers);
    return started("fastify-" + workers, command, folder, port);
  }

  private Api started(String name, List<String> command, Path in, int port) {
    Api api = new Api(port, KEY);
    children.start(name, command, in, Map.of(), _ -> api.tryGet(Api.rankPath(Users.id(0))) != null);
    return api;
  }

  /** With the flags that the launcher gives Laurel. */
  private static List<String> java(String main, String... args) {
    List<String> command = new ArrayList<>(javaCommand());
    command.addAll(List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseG1GC"));
    command.addAll(hugePages());
    command.addAll(classPath(main));
    command.addAll(List.of(args));
    return command;
  }

  private static List<String> hugePages() {
    try {
      String state = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
      return state.contains("[never]") ? List.of() : List.of("-XX:+UseTransparentHugePages");
    } catch (IOException e) {
      return List.of();
    }
  }

  static List<String> javaCommand() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED");
  }

  static List<String> classPath(String main) {
    return List.of(
        "-cp", Path.of(System.getProperty("java.class.path")).toAbsolutePath().toString(), main);
  }
}
