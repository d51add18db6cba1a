package dev.laurel.server.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} at random moments, again and again on one data folder: what was acknowledged is
 * there, nothing is there twice, and the ranks are those of an oracle.
 */
@ExtendWith(Seeds.class)
class KillIT {
  private static final int KILLS = 22;
  private static final int WRITERS = 6;

  @TempDir Path folder = Path.of("");

  @Test
  void serve_killedDuringWrites_losesNothingAndCountsNothingTwice(Random random) throws Exception {
    Path archive = LaurelProcess.makeArchive(folder);
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer(i, random.nextLong()));
    }
    List<Expected> expected = writers.stream().map(Writer::expected).toList();
    int total = 0;
    for (int kill = 0; kill <= KILLS; kill++) {
      if (kill % 5 == 4) {
        killDuringStart(folder, archive, random);
      }
      try (LaurelProcess laurel = LaurelProcess.spawn(folder, archive);
          HttpClient client =
              HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
        Api api = new Api(client, laurel.awaitReady());
        if (kill == 0) {
          for (TestBoard board : TestBoard.values()) {
            api.create(board);
          }
        }
        checkBeforeRetries(api, writers);
        for (Writer writer : writers) {
          writer.retry(api);
          writer.replay(api, 8);
        }
        for (TestBoard board : TestBoard.values()) {
          assertThat(api.top(board))
              .as("%s after kill %d", board, kill)
              .isEqualTo(Expected.rank(board, expected));
        }
        if (kill < KILLS) {
          total += writeUntilKilled(api, laurel, writers, random);
        }
      }
    }
    int replayable = writers.stream().mapToInt(Writer::namedWrites).sum();
    System.out.printf("%d kills, %d acknowledged writes, %d named%n", KILLS, total, replayable);
    assertThat(total).as("acknowledged writes").isGreaterThan(20 * KILLS);
  }

  /** Whoever is not part of an unanswered write is known exactly, even before any retry. */
  static void checkBeforeRetries(Api api, List<Writer> writers) throws IOException {
    Map<TestBoard, Map<String, Expected.Row>> found = new EnumMap<>(TestBoard.class);
    for (TestBoard board : TestBoard.values()) {
      List<Expected.Row> top = api.top(board);
      found.put(
          board, top.stream().collect(Collectors.toMap(Expected.Row::user, Function.identity())));
      List<Expected.Row> sure = new ArrayList<>();
      for (Expected.Row row : top) {
        if (writers.stream().noneMatch(w -> w.isOpen(board, row.user()))) {
          sure.add(new Expected.Row(0, row.user(), row.score(), row.reached()));
        }
      }
      List<Expected.Row> known =
          Expected.rank(board, writers.stream().map(Writer::expected).toList()).stream()
              .filter(row -> writers.stream().noneMatch(w -> w.isOpen(board, row.user())))
              .map(row -> new Expected.Row(0, row.user(), row.score(), row.reached()))
              .toList();
      assertThat(sure).as("%s before the retries", board).isEqualTo(known);
    }
    for (Writer writer : writers) {
      writer.checkUnanswered(found);
    }
  }

  static int writeUntilKilled(Api api, LaurelProcess laurel, List<Writer> writers, Random random)
      throws Exception {
    AtomicInteger acknowledged = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(writers.size())) {
      List<Future<?>> running = new ArrayList<>();
      for (Writer writer : writers) {
        running.add(threads.submit(() -> writer.run(api, acknowledged)));
      }
      try {
        int enough = 1 + random.nextInt(300);
        Poll.until(
            enough + " writes",
            () -> acknowledged.get() >= enough || running.stream().anyMatch(Future::isDone));
        LockSupport.parkNanos(random.nextInt(20_000_000)); // between two commits, or inside one
      } finally {
        laurel.kill();
      }
      for (Future<?> writer : running) {
        writer.get();
      }
    }
    return acknowledged.get();
  }

  @Test
  void serve_killedDuringTheFirstStart_startsTheNextTime(Random random) throws Exception {
    Path archive = LaurelProcess.makeArchive(folder);
    for (int round = 0; round < 4; round++) {
      Path fresh = Files.createDirectory(folder.resolve("fresh" + round));
      killDuringStart(fresh, archive, random);
      killDuringStart(fresh, archive, random);
      try (LaurelProcess laurel = LaurelProcess.spawn(fresh, archive);
          HttpClient client = HttpClient.newHttpClient()) {
        Api api = new Api(client, laurel.awaitReady());
        api.create(TestBoard.SUM);
        Write.Line line = new Write.Line("ada", 7, null, null);
        Write write = new Write(TestBoard.SUM, Write.Kind.PUT, List.of(line), "k");
        assertThat(api.send(write).status()).isEqualTo(200);
        assertThat(api.send(write).replayed()).isTrue();
        assertThat(api.top(TestBoard.SUM)).extracting(Expected.Row::score).containsExactly(7L);
      }
    }
  }

  /** From the moment the process has its hands on the folder, a little later, at random. */
  private static void killDuringStart(Path folder, Path archive, Random random) throws IOException {
    Path lock = folder.resolve("data").resolve("laurel.lock");
    Files.deleteIfExists(lock);
    try (LaurelProcess laurel = LaurelProcess.spawn(folder, archive)) {
      Poll.until("the folder is taken", () -> Files.exists(lock));
      LockSupport.parkNanos(random.nextInt(700_000_000));
      laurel.kill();
    }
  }
}
