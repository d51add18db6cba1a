package dev.laurel.server.kill;

import static dev.laurel.server.kill.Checks.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.testkit.Seeds;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The disk of the embedded store is full, and has room again. */
@ExtendWith(Seeds.class)
class DiskFullIT {
  /** A small disk of its own, which needs no rights: only this process and its children see it. */
  private static final String ON_A_SMALL_DISK =
      """
      mount -t tmpfs -o size=8m tmpfs "$1" && dd if=/dev/zero of="$1/ballast" bs=1M count=4 2>&1
      shift
      exec "$@"
      """;

  @TempDir Path folder = Path.of("");

  @Test
  void serve_diskFull_refusesWritesAnswersReadsAndGoesOn(Random random) throws Exception {
    Path archive = LaurelProcess.makeArchive(folder);
    Path data = Files.createDirectory(folder.resolve("data"));
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(new Writer(i, random.nextLong(), true));
    }
    List<String> by = List.of("unshare", "-rm", "sh", "-c", ON_A_SMALL_DISK, "sh", data.toString());
    try (LaurelProcess laurel = LaurelProcess.spawnBy(by, folder, archive);
        HttpClient client = HttpClient.newHttpClient()) {
      Api api = new Api(client, laurel.awaitReady());
      for (TestBoard board : TestBoard.values()) {
        api.create(board);
      }
      Traffic traffic = new Traffic(List.of(api), writers);
      long begin = System.nanoTime();
      Poll.until("the disk is full", () -> isDegraded(api));
      int before = traffic.taken();
      Path ballast = Path.of("/proc/" + laurel.pid() + "/root" + data + "/ballast");
      Files.delete(ballast);
      Poll.until("writes go on", () -> traffic.taken() > before + 20);
      String seen = traffic.end();
      Duration healed = eventually(() -> Checks.assertShows(api, writers));
      Checks.assertIndexed(api);
      System.out.printf(
          "disk full after %d s and %d writes: %s; equal after %d ms%n",
          Duration.ofNanos(System.nanoTime() - begin).toSeconds(), before, seen, healed.toMillis());
    }
  }

  private static boolean isDegraded(Api api) {
    try {
      HttpResponse<String> read = api.look(TestBoard.SUM);
      assertThat(read.statusCode()).isEqualTo(200);
      return read.headers().firstValue("Laurel-Degraded").isPresent();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
}
