package dev.laurel.server.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Seeds.class)
class CsvTextTest {
  @Test
  void guarded_whateverItIs_isNoFormulaAndComesBackExactly(Random random) {
    Map<String, String> seen = new HashMap<>();
    for (int round = 0; round < 20_000; round++) {
      StringBuilder made = new StringBuilder();
      for (int length = random.nextInt(6); length > 0; length--) {
        made.append("''=+-@\t\r\n＝＋－＠a1 ".charAt(random.nextInt(16)));
      }
      String text = made.toString();
      String guarded = CsvText.guarded(text);
      assertThat(guarded).doesNotMatch("(?s)[=+\\-@\t\r\n＝＋－＠].*");
      assertThat(CsvText.bare(guarded)).isEqualTo(text);
      assertThat(seen.getOrDefault(guarded, text)).isEqualTo(text);
      seen.put(guarded, text);
    }
  }

  @Test
  void quoted_whatEndsACellAnywhere_isInQuotes() {
    assertThat(CsvText.quoted("a;=1")).isEqualTo("\"a;=1\"");
    assertThat(CsvText.quoted("a\t=1")).isEqualTo("\"a\t=1\"");
    assertThat(CsvText.quoted("a'b")).isEqualTo("a'b");
  }
}
