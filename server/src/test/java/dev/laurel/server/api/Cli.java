package dev.laurel.server.api;

import dev.laurel.server.TestServer;
import dev.laurel.server.cli.CommandTree;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;

/** {@code laurel} with a verb that talks to a test's server. */
record Cli(int code, String out, String err) {
  /**
   * @param folder where files are
   */
  static Cli run(TestServer server, Path folder, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Map<String, String> env =
        Map.of("LAUREL_URL", server.laurel().url(), "LAUREL_KEY", TestServer.ADMIN_KEY);
    int code =
        CommandTree.build(env, folder, new PrintWriter(out, true), new PrintWriter(err, true))
            .execute(args);
    return new Cli(code, out.toString(), err.toString());
  }
}
