package dev.laurel.server.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb that asks a running server for something. */
abstract class ServerVerb implements Callable<Integer> {
  @Mixin final ServerOptions server;

  @Spec CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ServerVerb(Map<String, String> env) {
    this.server = new ServerOptions(env);
  }

  @Override
  public final Integer call() {
    try (ServerCalls calls = server.connect()) {
      return run(calls, spec.commandLine().getOut());
    }
  }

  /**
   * @return the exit code
   */
  abstract int run(ServerCalls calls, PrintWriter out);

  /** For people, not for what reads the output. */
  final void say(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(text);
    err.flush();
  }
}
