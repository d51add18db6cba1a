package dev.laurel.benchmarks.attacks;

import dev.laurel.benchmarks.soak.SoakServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Attacks a server with a heap of 256 MB in every way of the threat model, one after the other and
 * then all together. Meanwhile honest callers of another tenant read and write, and a probe asks
 * for its health.
 *
 * <p>{@code benchmarks/attacks} starts it and says what the arguments are.
 */
public final class Attacks {
  private static final int HEAP_MEGABYTES = 256;
  private static final int READERS = 2;
  private static final int WRITERS = 2;
  private static final int TOGETHER = 3;

  private final SoakServer server;
  private final Attackers attackers;
  private final String fair;
  private boolean good = true;

  private Attacks(SoakServer server, Attackers attackers, String fair) {
    this.server = server;
    this.attackers = attackers;
    this.fair = fair;
  }

  /**
   * @param args seconds for each, the folder for what comes of it
   */
  public static void main(String[] args) throws Exception {
    int seconds = Integer.parseInt(args[0]);
    Path out = Files.createDirectories(Path.of(args[1]));
    Path folder = Files.createTempDirectory(out, "server-");
    boolean good;
    try (ServerSocket silent = silentIssuer();
        // Else the issuer that never answers could not be on this machine.
        SoakServer server =
            SoakServer.start(folder, HEAP_MEGABYTES, "--webhook-private", "allow")) {
      String jwks = "http://127.0.0.1:" + silent.getLocalPort() + "/jwks.json";
      String evil = tenant(server, "evil", jwks);
      String fair = tenant(server, "fair", null);
      try (Attackers attackers = Attackers.start(server.port(), evil)) {
        good = new Attacks(server, attackers, fair).run(seconds);
      }
    }
    Files.copy(
        folder.resolve("log"),
        out.resolve("attacks.log"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    System.exit(good ? 0 : 1);
  }

  /** Takes connections, begins an answer on each, and never ends it. */
  private static ServerSocket silentIssuer() throws IOException {
    ServerSocket listening = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              while (!listening.isClosed()) {
                try {
                  Socket socket = listening.accept();
                  Thread.ofVirtual().start(() -> beSilent(socket));
                } catch (IOException e) {
                  // It is over.
                }
              }
            });
    return listening;
  }

  private static void beSilent(Socket socket) {
    try (socket) {
      socket
          .getOutputStream()
          .write(SoakServer.ascii("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));
      long _ = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The server has given it up.
    }
  }

  /** A tenant with a board and everybody on it. */
  private static String tenant(SoakServer server, String id, @Nullable String jwks)
      throws IOException {
    try (Wire wire = new Wire("127.0.0.1", server.port())) {
      made(
          wire.call(
              "POST",
              "/api/v1/tenants",
              SoakServer.KEY,
              "{\"tenantId\":\"" + id + "\",\"name\":\"x\"}"));
      String json = "{\"name\":\"k\",\"scopes\":[\"read\",\"ingest\",\"manage\"]}";
      wire.send(
          Wire.head("POST", "/api/v1/keys", SoakServer.KEY, json.length())
                  .replace("\r\n\r\n", "\r\nLaurel-Tenant: " + id + "\r\n\r\n")
              + json);
      String key = made(wire.answer()).replaceFirst("(?s).*\"key\":\"([^\"]+)\".*", "$1");
      boolean attacks = jwks != null;
      String board = attacks ? Attack.OPEN : Honest.BOARD;
      String uuid = board.substring(board.lastIndexOf('/') + 1);
      made(
          wire.call(
              "POST",
              "/api/v1/leaderboards",
              key,
              "{\"UUID\":\"%s\",\"update\":\"SUM\"%s}"
                  .formatted(uuid, attacks ? ",\"visibility\":\"PUBLIC\"" : "")));
      if (attacks) {
        made(
            wire.call(
                "POST",
                "/api/v1/issuers",
                key,
                "{\"issuer\":\"https://evil.example\",\"audience\":\"evil\",\"jwksUrl\":\"%s\"}"
                    .formatted(jwks)));
      }
      fill(wire, board, key, attacks ? Target.USERS : Honest.USERS);
      return key;
    }
  }

  private static void fill(Wire wire, String board, String key, int users) throws IOException {
    for (int from = 0; from < users; from += 1000) {
      StringBuilder json = new StringBuilder("{\"scores\":[");
      for (int i = from; i < from + 1000; i++) {
        json.append(i == from ? "" : ",").append("{\"userId\":\"u").append(i);
        json.append("\",\"score\":").append(i).append('}');
      }
      made(wire.call("POST", board + "/scores", key, json.append("]}").toString()));
    }
  }

  private static String made(Wire.Answer answer) {
    if (answer.status() != 200 && answer.status() != 201) {
      throw new IllegalStateException(answer.toString());
    }
    return answer.body();
  }

  private boolean run(int seconds) throws Exception {
    System.out.println(
        "| attack | began anew | health, longest | honest reads, p99 | honest writes, p99 | refused of"
            + " honest | heap after collection |");
    System.out.println("|---|---|---|---|---|---|---|");
    phase("nobody attacks; the code gets warm", List.of(), seconds);
    phase("nobody attacks", List.of(), seconds);
    for (Attack attack : Attack.values()) {
      phase(attack.what, List.of(attack), seconds);
    }
    phase("all of them together", List.of(Attack.values()), TOGETHER * seconds);
    phase("nobody attacks", List.of(), seconds);
    server.collect();
    Thread.sleep(1000);
    System.out.printf(
        "%nheld after a full collection: %.0f MB of %d; resident %.0f MB; %s%n",
        server.live(),
        HEAP_MEGABYTES,
        server.residentMegabytes(),
        server.isAlive() ? "the server lives" : "the server has ended");
    return good && server.isAlive() && !server.log().contains("OutOfMemoryError");
  }

  private void phase(String name, List<Attack> attacks, int seconds) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Honest.Noticed noticed = new Honest.Noticed();
    attackers.next(attacks);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < READERS + WRITERS; i++) {
      boolean reads = i < READERS;
      Honest honest = new Honest(server.port(), fair);
      threads.add(
          every(
              over, 10, reads ? () -> honest.read(noticed) : () -> honest.write(noticed), honest));
    }
    threads.add(every(over, 100, () -> Honest.probe(server.port(), noticed), () -> {}));
    Thread.sleep(seconds * 1000L);
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    String begun = attackers.next(List.of());
    good &= server.isAlive() && noticed.healthFailures.get() == 0;
    System.out.printf(
        "| %s | %,d | %.0f ms%s | %.1f ms | %.1f ms | %,d of %,d | %.0f MB |%n",
        name,
        Long.parseLong(begun),
        noticed.health.millis(1),
        noticed.healthFailures.get() == 0 ? "" : ", " + noticed.healthFailures + " failed",
        noticed.reads.millis(0.99),
        noticed.writes.millis(0.99),
        noticed.refused.get(),
        noticed.reads.count() + noticed.writes.count(),
        server.heapAfterGc());
  }

  /** Until it is over, with a pause in between. */
  private static Thread every(
      AtomicBoolean over, long millis, Runnable step, AutoCloseable afterwards) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try (afterwards) {
                while (!over.get()) {
                  step.run();
                  Thread.sleep(millis);
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }
}
