package dev.laurel.server.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSourceTest {
  private static TextLines text(String text) {
    return new TextLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Every record in one word: its line, and its JSON or its code. */
  private static List<String> all(LineSource source) throws IOException {
    List<String> all = new ArrayList<>();
    for (ImportLine line = source.next(); line != null; line = source.next()) {
      all.add(
          line.number()
              + " "
              + switch (line) {
                case ImportLine.Good good -> new String(good.json(), StandardCharsets.UTF_8);
                case ImportLine.Bad bad -> bad.code();
              });
    }
    return all;
  }

  private static List<String> csv(String text) throws IOException {
    return all(new CsvLines(text(text), new CsvOptions(false, true)));
  }

  private static List<String> json(String text) throws IOException {
    return all(new JsonLines(text(text)));
  }

  @Test
  void csv_allColumns_becomeTheFieldsOfTheBatchRoute() throws IOException {
    assertThat(
            csv(
                String.join(
                    "\r\n",
                    "\uFEFFscore,userId,timestamp,eventId,mode",
                    "1.50,ada,2026-01-01T00:00:00Z,e1,best",
                    "9007199254740993,\"Bob, \"\"the\"\" é\",,,",
                    "")))
        .containsExactly(
            "2 {\"score\":1.50,\"userId\":\"ada\",\"timestamp\":\"2026-01-01T00:00:00Z\","
                + "\"eventId\":\"e1\",\"mode\":\"best\"}",
            "3 {\"score\":9007199254740993,\"userId\":\"Bob, \\\"the\\\" é\"}");
  }

  @Test
  void csv_scoreThatIsNoNumber_isLeftToTheServer() throws IOException {
    assertThat(csv("userId,score\na,1e3\nb,\nc,NaN\nd,01\ne, 7 "))
        .containsExactly(
            "2 {\"userId\":\"a\",\"score\":1e3}",
            "3 {\"userId\":\"b\",\"score\":\"\"}",
            "4 {\"userId\":\"c\",\"score\":\"NaN\"}",
            "5 {\"userId\":\"d\",\"score\":\"01\"}",
            "6 {\"userId\":\"e\",\"score\":7}");
  }

  @Test
  void csv_badLines_areNumberedAndTheRestGoesOn() throws IOException {
    assertThat(csv("userId,score\na,1,2\n\nb\"c,1\nd,4\n\"e,5\nf,6\n"))
        .containsExactly(
            "2 MALFORMED_CSV",
            "4 MALFORMED_CSV",
            "5 {\"userId\":\"d\",\"score\":4}",
            "6 MALFORMED_CSV",
            "7 {\"userId\":\"f\",\"score\":6}");
  }

  @Test
  void csv_recordOfSeveralLines_isNumberedByItsFirst() throws IOException {
    assertThat(csv("userId,score\n\"a\n\nb\",1\nc,2\n"))
        .containsExactly(
            "2 {\"userId\":\"a\\n\\nb\",\"score\":1}", "5 {\"userId\":\"c\",\"score\":2}");
  }

  @Test
  void csv_headerThatDoesNotFit_isExplained() {
    assertThatThrownBy(() -> csv("")).hasMessageContaining("empty");
    assertThatThrownBy(() -> csv("userId;score\n"))
        .hasMessageContaining("unknown column \"userId;score\"");
    assertThatThrownBy(() -> csv("userId\na\n")).hasMessageContaining("no column score");
    assertThatThrownBy(() -> csv("userId,score,name\n"))
        .hasMessageContaining("unknown column \"name\"")
        .hasMessageContaining("--ignore-extra");
    assertThatThrownBy(() -> csv("userId,score,score\n")).hasMessageContaining("twice");
  }

  @Test
  void csv_extraColumnsIgnored_areSkipped() throws IOException {
    assertThat(all(new CsvLines(text("rank,userId,score\n1,a,5\n"), new CsvOptions(true, true))))
        .containsExactly("2 {\"userId\":\"a\",\"score\":5}");
  }

  @Test
  void csv_idsWithAnApostrophe_loseItOnlyInAnExport() throws IOException {
    assertThat(csv("userId,score\n'=a,5\n")).containsExactly("2 {\"userId\":\"'=a\",\"score\":5}");
    String export = "userId,rank,score,prize\n'=a,1,5,\n'a,2,4,\n";
    assertThat(csv(export))
        .containsExactly("2 {\"userId\":\"=a\",\"score\":5}", "3 {\"userId\":\"'a\",\"score\":4}");
    assertThat(all(new CsvLines(text(export), new CsvOptions(false, false))))
        .first()
        .isEqualTo("2 {\"userId\":\"'=a\",\"score\":5}");
  }

  @Test
  void json_lines_areSentAsTheyAre() throws IOException {
    assertThat(json("{\"userId\":\"a\",\"score\":1.0}\r\n\n {\"userId\":\"b\", \"score\":2} \n"))
        .containsExactly("1 {\"userId\":\"a\",\"score\":1.0}", "3 {\"userId\":\"b\", \"score\":2}");
  }

  @Test
  void json_whatWouldSpoilOtherLines_isBad() throws IOException {
    assertThat(
            json(
                String.join(
                    "\n",
                    "{\"userId\":\"a\"",
                    "{\"userId\":\"a\",\"userId\":\"b\"}",
                    "{\"userId\":\"a\"},{\"userId\":\"b\"}",
                    "{}],\"x\":[{}",
                    "{}]}{\"scores\":[",
                    "{\"score\":" + "9".repeat(65) + "}",
                    "{\"a\":" + "[".repeat(31) + "]".repeat(31) + "}",
                    "{\"userId\":7}")))
        .containsExactly(
            "1 MALFORMED_JSON",
            "2 MALFORMED_JSON",
            "3 VALIDATION_ERROR",
            "4 UNKNOWN_FIELD",
            "5 MALFORMED_JSON",
            "6 MALFORMED_JSON",
            "7 MALFORMED_JSON",
            "8 {\"userId\":7}");
  }

  @Test
  void text_lineTooLongOrNotUtf8_isSkippedAlone() throws IOException {
    String filler = " ".repeat(TextLines.MAX_BYTES + 1);
    assertThat(json("{}\n" + filler + "\n{}\n"))
        .containsExactly("1 {}", "2 MALFORMED_JSON", "3 {}");
    TextLines latin =
        new TextLines(
            new ByteArrayInputStream("{\"é\":1}\n{}".getBytes(StandardCharsets.ISO_8859_1)));
    assertThat(all(new JsonLines(latin))).containsExactly("1 MALFORMED_JSON", "2 {}");
  }
}
