package dev.laurel.server.cli;

import dev.laurel.server.Laurel;
import dev.laurel.server.Logging;
import dev.laurel.server.demo.Demo;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.server.settings.SettingsReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code laurel serve}: runs until it is told to stop. */
@Command(
    name = "serve",
    description = "Run the server until it is stopped.",
    footer = {
      "",
      "Every option is also an environment variable, and a line of laurel.yaml or",
      "laurel.properties; the command line wins over the environment, that over the file."
    })
final class ServeCommand implements Callable<Integer> {
  private final Map<String, String> env;
  private final Path folder;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  ServeCommand(Map<String, String> env, Path folder) {
    this.env = env;
    this.folder = folder;
  }

  @Override
  public Integer call() throws InterruptedException {
    Configuration settings = new SettingsReader(env, folder).read(given());
    Logging.level(settings.get(Settings.LOG_LEVEL));
    CountDownLatch stopped = new CountDownLatch(1);
    Laurel laurel = Laurel.start(settings);
    // The hook does the closing: the JVM ends when it returns, whatever this thread does.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  laurel.close();
                  Logging.stop();
                  stopped.countDown();
                },
                "shutdown"));
    greet(laurel);
    stopped.await();
    return ExitCode.OK;
  }

  private void greet(Laurel laurel) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("Laurel is ready.");
    out.println("  page      " + laurel.url() + "/");
    out.println("  API       " + laurel.url() + "/api/v1 (described in /openapi.yaml)");
    String database = laurel.database();
    out.println("  database  " + (database == null ? "SQLite, in the data folder" : database));
    out.println("  data      " + laurel.dataFolder() + (database == null ? "" : " (archives)"));
    String redis = laurel.redis();
    out.println("  ranks     " + (redis == null ? "in memory" : "Redis " + redis));
    String kafka = laurel.kafka();
    out.println("  events    " + (kafka == null ? "by HTTP" : "by HTTP and Kafka " + kafka));
    String key = laurel.generatedAdminKey();
    if (key != null) {
      out.println("  admin key made for you; it is not shown again. To use it in another shell:");
      out.println("export LAUREL_ADMIN_KEY=" + key);
    } else {
      out.println(
          "  admin key "
              + (laurel.isAdminKeyConfigured()
                  ? "as configured"
                  : "the one of the first start (set LAUREL_ADMIN_KEY to use another)"));
    }
    if (laurel.hasDemo()) {
      out.println("  boards    " + laurel.url() + "/boards, made up and moving:");
      for (String board : Demo.boards()) {
        out.println("            " + laurel.url() + "/boards/" + board);
      }
    }
    out.println("Stop it with Ctrl-C.");
    out.flush();
  }

  private Map<String, String> given() {
    Map<String, String> given = new HashMap<>();
    for (OptionSpec option : spec.options()) {
      if (option.getValue() instanceof String text) {
        given.put(option.longestName().substring("--".length()), text);
      }
    }
    return given;
  }
}
