package dev.laurel.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.archive.ArchiveException;
import dev.laurel.core.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FolderObjectsTest extends ObjectsContract {
  @Override
  Objects objects() {
    return new FolderObjects(folder.resolve("archive"));
  }

  @Test
  void put_leavesNoTemporaryFile() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[] {1});
    objects().put("a/b", file);
    try (Stream<Path> files = Files.walk(folder.resolve("archive"))) {
      assertThat(files.filter(Files::isRegularFile).map(p -> p.getFileName().toString()))
          .containsExactly("b");
    }
  }

  @Test
  void open_withoutTheFolder_isUnavailable() {
    assertThatThrownBy(() -> new FolderObjects(folder.resolve("unmounted")).open("a/b"))
        .isInstanceOfSatisfying(
            ArchiveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ARCHIVE_UNAVAILABLE));
  }

  /** What callers hear: where the folder is belongs into the log. */
  @Test
  void failures_doNotShowWhereTheFolderIs() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[] {1});
    objects().put("a/b", file);
    for (Objects each :
        new Objects[] {objects(), new FolderObjects(folder.resolve("unmounted")), blocked(file)}) {
      assertThatThrownBy(() -> each.open("x/y"))
          .isInstanceOf(ArchiveException.class)
          .hasMessageContaining("x/y")
          .hasMessageNotContaining(folder.toString());
    }
    assertThatThrownBy(() -> blocked(file).put("x/y", file))
        .isInstanceOf(ArchiveException.class)
        .hasMessageNotContaining(folder.toString());
  }

  /** Where the folder should be is a file. */
  private static Objects blocked(Path file) {
    return new FolderObjects(file);
  }
}
