package dev.laurel.server;

import dev.laurel.server.cli.CommandTree;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The entry point of the jar. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Logging.prepare();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(CommandTree.build(System.getenv(), Path.of(""), out, err).execute(args));
  }
}
