package dev.laurel.benchmarks.sidebyside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * {@code benchmarks/profile}: a Laurel with a board under reads, then under writes, each with a
 * recording of the flight recorder that holds nothing but that load.
 *
 * <p>Arguments: seconds, users, the folder for the recordings.
 */
public final class LoadForProfile {
  private static final int WARM_UP_SECONDS = 10;

  private LoadForProfile() {}

  public static void main(String[] args) throws IOException {
    int seconds = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]);
    Path target = Path.of(args[2]).toAbsolutePath();
    Path root = Path.of(System.getProperty("laurel.root", ".")).toAbsolutePath().normalize();
    Children children = new Children(root.resolve("benchmarks/target"));
    Files.createDirectories(target);
    LaurelServer laurel = LaurelServer.start(children, root, Users.of(count));
    Wrk wrk = new Wrk(children, root.resolve("benchmarks/rivals/load"), count);
    for (Map.Entry<String, Integer> load :
        List.of(Map.entry("read", 64), Map.entry("write", 256))) {
      String script = load.getKey().equals("read") ? "rank.lua" : "put.lua";
      wrk.run(laurel.api(), script, load.getValue(), WARM_UP_SECONDS, "");
      Path file = target.resolve(load.getKey() + ".jfr");
      // Started by jcmd rather than by a flag: the load and the warm-up are not in it.
      jcmd(
          children,
          laurel,
          "JFR.start",
          "name=" + load.getKey(),
          "settings=none",
          "+jdk.CPUTimeSample#enabled=true",
          "+jdk.CPUTimeSample#throttle=2ms");
      double rate = wrk.run(laurel.api(), script, load.getValue(), seconds, "");
      jcmd(children, laurel, "JFR.stop", "name=" + load.getKey(), "filename=" + file);
      System.err.printf("  %s: %,.0f/s while recording, %s%n", load.getKey(), rate, file);
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
