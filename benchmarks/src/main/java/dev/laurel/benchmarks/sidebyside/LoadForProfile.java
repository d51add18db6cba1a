package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code benchmarks/profile}: a Laurel with a board under reads, then under writes and batches,
 * each with a recording of the flight recorder that holds nothing but that load.
 *
 * <p>Arguments: seconds, users, the folder for the recordings.
 */
public final class LoadForProfile {
  private static final int WARM_UP_SECONDS = 10;

  private static final List<Load> LOADS =
      List.of(
          new Load("read", "rank.lua", 64, ""),
          new Load("write", "put.lua", 256, ""),
          new Load("batch", "batch.lua", 8, "scores"));

  private LoadForProfile() {}

  /** A script of wrk with its connections and its last argument. */
  private record Load(String name, String script, int connections, String kind) {
    double run(Wrk wrk, LaurelServer laurel, int seconds) {
      return wrk.run(laurel.api(), script, connections, seconds, kind);
    }
  }

  public static void main(String[] args) throws IOException {
    int seconds = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]);
    Path target = Path.of(args[2]).toAbsolutePath();
    Path root = Path.of(System.getProperty("laurel.root", ".")).toAbsolutePath().normalize();
    Children children = new Children(root.resolve("benchmarks/target"));
    Files.createDirectories(target);
    LaurelServer laurel = LaurelServer.start(children, root, Users.of(count));
    Wrk wrk = new Wrk(children, root.resolve("benchmarks/rivals/load"), count);
    for (Load load : LOADS) {
      load.run(wrk, laurel, WARM_UP_SECONDS);
      Path file = target.resolve(load.name + ".jfr");
      // Started by jcmd rather than by a flag: the load and the warm-up are not in it.
      jcmd(
          children,
          laurel,
          "JFR.start",
          "name=" + load.name,
          "settings=none",
          "+jdk.CPUTimeSample#enabled=true",
          "+jdk.CPUTimeSample#throttle=2ms");
      double rate = load.run(wrk, laurel, seconds);
      jcmd(children, laurel, "JFR.stop", "name=" + load.name, "filename=" + file);
      System.err.printf("  %s: %,.0f/s while recording, %s%n", load.name, rate, file);
    }
    System.exit(0);
  }

  private static void jcmd(Children children, LaurelServer laurel, String... command) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    List<String> all = new java.util.ArrayList<>(List.of(jcmd, "" + laurel.pid()));
    all.addAll(List.of(command));
    children.run(all);
  }
}
