package dev.laurel.archive;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.archive.SeasonDescription;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Order;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.SeasonStatus;
import dev.laurel.core.model.Ties;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is not as it was archived is neither answered from nor relied on. */
@ExtendWith(Seeds.class)
class DamagedArchiveTest extends ArchivedBoards {
  @Test
  void read_afterTampering_isRefusedAndVerifyFindsIt(Random random) throws IOException {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 1500, random);
    turn(1);
    turn(32);
    turn(64);
    Season season = first(board);
    assertThat(season.status()).isEqualTo(SeasonStatus.PURGED);
    Path ranks = file(board, Manifest.RANKS);
    byte[] bytes = Files.readAllBytes(ranks);
    bytes[random.nextInt(200)] ^= 1;
    Files.write(ranks, bytes);
    restart();
    damaged(() -> answers(board, random));
    harness.requests.restore(board, season);
    clock.set(DAY.plus(Duration.ofDays(65)));
    harness.archiver.turn(() -> false);
    assertThat(harness.failures).hasSize(1);
    harness.failures.clear();
    assertThat(first(board).status()).isEqualTo(SeasonStatus.RESTORING);
    assertThat(String.valueOf(harness.requests.look(board, season).state())).contains("ranks");

    Path manifest = file(board, Manifest.NAME);
    Files.write(manifest, new byte[] {'{', '}'});
    restart();
    damaged(() -> answers(board, random));
  }

  private static void damaged(Runnable read) {
    assertThatThrownBy(read::run)
        .isInstanceOfSatisfying(
            ArchiveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ARCHIVE_DAMAGED));
  }

  private Path file(Board board, String object) {
    String name = SeasonDescription.name("default", board, first(board));
    String digest = record(board).digest();
    return folder.resolve("archive").resolve(ObjectArchive.folder(name, digest)).resolve(object);
  }

  @Test
  void purge_ofAnArchiveThatIsDamaged_writesTheArchiveAnewFirst(Random random) throws IOException {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 100, random);
    turn(1);
    turn(32);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    Path ranks = file(board, Manifest.RANKS);
    byte[] bytes = Files.readAllBytes(ranks);
    bytes[bytes.length - 1] ^= 1;
    Files.write(ranks, bytes);
    clock.set(DAY.plus(Duration.ofDays(64)));
    harness.archiver.turn(() -> false);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVING);
    assertThat(harness.failures).hasSize(1);
    assertThat(harness.failures.poll()).hasMessageContaining("written anew");
    assertThat(answers(board, random).size()).isEqualTo(100);
    turn(65);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.ARCHIVED);
    turn(97);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, random).size()).isEqualTo(100);
  }

  @Test
  void read_ofAnArchiveOfBefore_isFoundWhereItWasWrittenThen(Random random) throws IOException {
    Board board = board(Order.HIGHEST_FIRST, Ties.SHARED);
    submit(board, 1500, random);
    turn(1);
    SeasonAnswers before = answers(board, new Random(7));
    turn(32);
    Path folder = requireNonNull(file(board, Manifest.NAME).getParent());
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.move(file, requireNonNull(folder.getParent()).resolve(file.getFileName()));
      }
    }
    Files.delete(folder);
    restart();
    turn(64);
    assertThat(first(board).status()).isEqualTo(SeasonStatus.PURGED);
    assertThat(answers(board, new Random(7))).isEqualTo(before);
  }
}
