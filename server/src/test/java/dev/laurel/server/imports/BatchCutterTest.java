package dev.laurel.server.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchCutterTest {
  private static List<Batch> cut(int lines, ImportState.Lane done, String content) {
    List<Batch> batches = new ArrayList<>();
    BatchCutter cutter = new BatchCutter("b", 1, 0, done, batches::add);
    for (int i = 1; i <= lines; i++) {
      byte[] json = (content + i % 10).getBytes(StandardCharsets.UTF_8);
      cutter.add(new ImportLine.Good(i, "", "u", false, json));
    }
    cutter.finish();
    return batches;
  }

  private static ImportState.Lane after(Batch batch) {
    return new ImportState.Lane(batch.lastLine(), batch.key());
  }

  @Test
  void add_sameLinesAgain_givesTheSameKeys() {
    List<Batch> first = cut(2500, ImportState.Lane.START, "x");
    assertThat(first).extracting(Batch::lastLine).containsExactly(1000L, 2000L, 2500L);
    assertThat(first).extracting(Batch::key).doesNotHaveDuplicates();
    assertThat(cut(2500, ImportState.Lane.START, "x"))
        .extracting(Batch::key)
        .isEqualTo(first.stream().map(Batch::key).toList());
  }

  @Test
  void add_afterAnInterruption_handsOutTheRestWithTheSameKeys() {
    List<Batch> first = cut(2500, ImportState.Lane.START, "x");
    assertThat(cut(2500, after(first.get(0)), "x"))
        .extracting(Batch::key)
        .containsExactly(first.get(1).key(), first.get(2).key());
    assertThat(cut(2500, after(first.get(2)), "x")).isEmpty();
  }

  @Test
  void add_fileThatHasGrown_handsOutWhatIsNew() {
    List<Batch> first = cut(1500, ImportState.Lane.START, "x");
    List<Batch> grown = cut(1700, after(first.getLast()), "x");
    assertThat(grown).hasSize(1);
    assertThat(grown.getFirst().lines())
        .extracting(ImportLine::number)
        .startsWith(1501L)
        .hasSize(200);
  }

  @Test
  void add_anotherFile_isRefused() {
    ImportState.Lane done = after(cut(2500, ImportState.Lane.START, "x").get(1));
    assertThatThrownBy(() -> cut(2500, done, "y")).isInstanceOf(ImportException.class);
    assertThatThrownBy(() -> cut(1999, done, "x")).isInstanceOf(ImportException.class);
  }

  @Test
  void add_largeLines_keepsBelowTheLargestBody() {
    List<Batch> batches = cut(1000, ImportState.Lane.START, "x".repeat(4000));
    assertThat(batches).hasSizeGreaterThan(3).allMatch(b -> b.body().length < 1_000_000);
    assertThat(batches.stream().mapToInt(b -> b.lines().size()).sum()).isEqualTo(1000);
  }
}
