package dev.laurel.server.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Seeds.class)
class CsvRecordTest {
  private static void assertFields(String text, String... values) {
    assertThat(CsvRecord.parse(text)).isEqualTo(new CsvRecord.Fields(List.of(values)));
  }

  @Test
  void parse_plainFields_areTakenAsTheyAre() {
    assertFields("a,b,c", "a", "b", "c");
    assertFields("a, b ,c", "a", " b ", "c");
    assertFields("", "");
    assertFields(",", "", "");
    assertFields("a,,", "a", "", "");
  }

  @Test
  void parse_quotedFields_mayHoldCommasQuotesAndBreaks() {
    assertFields("\"a,b\",\"say \"\"hi\"\"\",\"x\ny\",\"\"", "a,b", "say \"hi\"", "x\ny", "");
  }

  @Test
  void parse_quoteNotClosed_isOpen() {
    assertThat(CsvRecord.parse("a,\"b")).isInstanceOf(CsvRecord.Open.class);
    assertThat(CsvRecord.parse("\"a\"\"")).isInstanceOf(CsvRecord.Open.class);
  }

  @Test
  void parse_strayQuote_isMalformed() {
    assertThat(CsvRecord.parse("a\"b,c")).isInstanceOf(CsvRecord.Malformed.class);
    assertThat(CsvRecord.parse("\"a\"b,c")).isInstanceOf(CsvRecord.Malformed.class);
  }

  @Test
  void parse_whatWasWritten_isReadBack(Random random) {
    for (int round = 0; round < 10_000; round++) {
      List<String> values = new ArrayList<>();
      for (int n = 1 + random.nextInt(5); n > 0; n--) {
        StringBuilder value = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
          value.append("a,\"\n é".charAt(random.nextInt(6)));
        }
        values.add(value.toString());
      }
      String text =
          values.stream()
              .map(
                  v ->
                      v.matches("[a é]*") && random.nextBoolean()
                          ? v
                          : "\"" + v.replace("\"", "\"\"") + "\"")
              .collect(Collectors.joining(","));
      assertThat(CsvRecord.parse(text)).isEqualTo(new CsvRecord.Fields(values));
    }
  }
}
