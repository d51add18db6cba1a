package dev.laurel.benchmarks;

import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.sql.PostgresStore;
import dev.laurel.stack.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What a second node adds: durable updates a second of two processes on one PostgreSQL, over those
 * of one. Each writes to all boards, by single requests, 256 at a time; one round after the other,
 * so that both have the same machine. On two cores the server and both nodes share what there is: a
 * ratio near 1 says that nodes do not get into each other's way, and a larger one needs cores.
 *
 * <pre>benchmarks/run dev.laurel.benchmarks.NodesFigure</pre>
 */
public final class NodesFigure {
  private static final int BOARDS = 64;
  private static final int ROUNDS = 5;
  private static final int UPDATES = 40_000;

  private NodesFigure() {}

  /** A node of its own process: does as many updates as it is told, and says how fast. */
  private static void node(String url, long seed) throws IOException {
    try (InProcess core = new InProcess(PostgresStore.open(url, null, null, null));
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      core.follow();
      List<Board> boards = new ArrayList<>();
      for (int i = 0; i < BOARDS; i++) {
        boards.add(core.known(1, "board-" + i));
      }
      Random random = new Random(seed);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(core.rate(boards, random, Integer.parseInt(line)));
      }
    }
  }

  /** How to talk to one. */
  private record Node(Process process, PrintWriter to, BufferedReader from)
      implements AutoCloseable {
    static Node start(String url, int seed) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  NodesFigure.class.getName(),
                  url,
                  Integer.toString(seed))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new Node(
          process,
          new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8),
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    @Override
    public void close() throws IOException {
      to.close(); // which is how it hears that there is nothing more to do
      from.close();
      process.onExit().join();
    }
  }

  /** Updates a second of all these nodes at once. */
  private static double rate(List<Node> nodes, int updates) throws IOException {
    long start = System.nanoTime();
    for (Node node : nodes) {
      node.to.println(updates);
    }
    for (Node node : nodes) {
      if (node.from.readLine() == null) {
        throw new IllegalStateException("a node has ended");
      }
    }
    return (double) nodes.size() * updates / ((System.nanoTime() - start) / 1e9);
  }

  private static void run(String url) throws IOException {
    try (InProcess core = new InProcess(PostgresStore.open(url, null, null, null))) {
      for (int i = 0; i < BOARDS; i++) {
        core.board(1, "board-" + i, WindowDefinition.ALL_TIME);
      }
    }
    try (Node first = Node.start(url, 1);
        Node second = Node.start(url, 2)) {
      List<Node> both = List.of(first, second);
      rate(both, UPDATES); // so that users are known, and code is compiled
      rate(both, UPDATES);
      double[] ratios = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        double one = rate(List.of(first), UPDATES);
        double two = rate(both, UPDATES);
        ratios[round] = two / one;
        System.out.printf(
            "updates/s: one node %,.0f, two nodes %,.0f: %.2f%n", one, two, ratios[round]);
      }
      Arrays.sort(ratios);
      System.out.printf(
          "two nodes over one, %d boards, %d cores: median %.2f (%.2f to %.2f)%n",
          BOARDS,
          Runtime.getRuntime().availableProcessors(),
          ratios[ROUNDS / 2],
          ratios[0],
          ratios[ROUNDS - 1]);
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 2) {
      node(args[0], Long.parseLong(args[1]));
      return;
    }
    try (WorkFolder folder = WorkFolder.create("laurel-nodes");
        PostgresServer server = PostgresServer.start(folder.path())) {
      run(server.url(server.newDatabase()));
    }
  }
}
