package dev.laurel.benchmarks.awards;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figure's load for a moment: what is counted, and not how long it takes. */
class AwardLoadTest {
  @Test
  void awards_withRetriesAndReplays_areNeitherLostNorDoubled(@TempDir Path folder)
      throws Exception {
    try (Login login = new Login()) {
      AwardLoad load = AwardFigure.laurel(folder, login, login.tokens(100), 500, 4);
      assertThat(load.unexpected()).isZero();
    }
  }
}
