package dev.laurel.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.UserIds;
import dev.laurel.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Seeds.class)
class SortedIdsTest {
  @TempDir Path folder = Path.of("");

  @Test
  void drain_manyRuns_givesAllInTheOrderOfTheirBytes(Random random) throws IOException {
    Map<String, Long> expected = new HashMap<>();
    SortedIds ids = new SortedIds(folder, 7);
    for (long i = 0; i < 200; i++) {
      // Beyond the basic plane the order of characters and that of bytes differ.
      String id =
          new StringBuilder().appendCodePoint(0xFF00 + random.nextInt(0x300)).append(i).toString();
      expected.put(id, i);
      ids.add(id, i);
    }
    List<String> drained = new ArrayList<>();
    ids.drain(
        id -> {
          String text = new String(id.id(), StandardCharsets.UTF_8);
          drained.add(text);
          assertThat(expected.get(text)).isEqualTo(id.position());
        });
    assertThat(drained).hasSize(200).isSortedAccordingTo(UserIds::compare);
  }
}
