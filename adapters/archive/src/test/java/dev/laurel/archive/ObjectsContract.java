package dev.laurel.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What every kind of {@link Objects} must do. */
@ExtendWith(Seeds.class)
abstract class ObjectsContract {
  @TempDir Path folder = Path.of("");

  abstract Objects objects();

  private void put(String name, byte[] bytes) throws IOException {
    Path file = Files.createTempFile(folder, "put", ".bin");
    Files.write(file, bytes);
    objects().put(name, file);
  }

  private byte[] all(String name) throws IOException {
    try (InputStream in = objects().open(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void put_thenRead_givesTheBytesAndAnyPart(Random random) throws IOException {
    byte[] bytes = new byte[300_000];
    random.nextBytes(bytes);
    put("t/b%3A1/s.0.1/ranks.jsonl.gz", bytes);
    assertThat(all("t/b%3A1/s.0.1/ranks.jsonl.gz")).isEqualTo(bytes);
    for (int i = 0; i < 20; i++) {
      int from = random.nextInt(bytes.length);
      int length = 1 + random.nextInt(bytes.length - from);
      assertThat(objects().read("t/b%3A1/s.0.1/ranks.jsonl.gz", from, length))
          .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
    }
  }

  @Test
  void put_again_replaces() throws IOException {
    put("t/b/s/manifest.json", new byte[] {1, 2, 3});
    put("t/b/s/manifest.json", new byte[] {4});
    assertThat(all("t/b/s/manifest.json")).containsExactly(4);
  }

  @Test
  void delete_removesIt_andDoesNothingIfItIsGone() throws IOException {
    put("t/b/s/x", new byte[] {1});
    objects().delete("t/b/s/x");
    objects().delete("t/b/s/x");
    assertThatThrownBy(() -> objects().open("t/b/s/x")).isInstanceOf(ArchiveException.class);
  }

  @Test
  void read_beyondTheEnd_isShortOrDamaged() throws IOException {
    put("t/b/s/x", new byte[] {1, 2, 3});
    assertThat(objects().read("t/b/s/x", 1, 10)).containsExactly(2, 3);
  }

  @Test
  void open_whatIsMissing_isADamagedArchive() throws IOException {
    put("t/b/s/x", new byte[] {1});
    assertThatThrownBy(() -> objects().open("t/b/s/y"))
        .isInstanceOfSatisfying(
            ArchiveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ARCHIVE_DAMAGED));
    assertThatThrownBy(() -> objects().read("t/b/s/y", 0, 1)).isInstanceOf(ArchiveException.class);
  }
}
