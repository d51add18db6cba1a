package dev.laurel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's tour, run in a shell as it is printed (but for the port), against a new server. */
class ReadmeTourTest {
  private static final String FENCE = "```";

  @Test
  void tour_asPrinted_answersAsPrinted(@TempDir Path folder) throws Exception {
    List<List<String>> blocks = blocks(Files.readAllLines(Path.of("../README.md")));
    assertThat(blocks).hasSizeGreaterThan(6);
    try (TestServer server = TestServer.start()) {
      StringBuilder script = new StringBuilder("set -eu\n");
      for (int i = 0; i < blocks.size(); i++) {
        script.append("echo '").append(mark(i)).append("'\n");
        blocks.get(i).stream()
            .filter(line -> !line.startsWith("#>"))
            .forEach(line -> script.append(line).append('\n'));
      }
      String output =
          run(folder, script.toString().replace("127.0.0.1:8080", "127.0.0.1:" + server.port()));
      for (int i = 0; i < blocks.size(); i++) {
        String answers = output.substring(output.indexOf(mark(i)));
        int end = answers.indexOf(mark(i + 1));
        String block = end < 0 ? answers : answers.substring(0, end);
        int from = 0;
        for (String line : blocks.get(i)) {
          if (line.startsWith("#>")) {
            String expected = line.substring(2).strip();
            assertThat(block.substring(from)).contains(expected);
            from = block.indexOf(expected, from) + expected.length();
          }
        }
      }
    }
  }

  private static String mark(int block) {
    return "== block " + block + " ==";
  }

  private static List<List<String>> blocks(List<String> readme) {
    List<List<String>> blocks = new ArrayList<>();
    List<String> open = null;
    boolean inTour = false;
    for (String line : readme) {
      inTour |= line.startsWith("<!-- ReadmeTourTest");
      inTour &= !line.startsWith("## "); // the next chapter
      if (inTour && line.equals(FENCE + "sh")) {
        open = new ArrayList<>();
      } else if (open != null && line.equals(FENCE)) {
        blocks.add(open);
        open = null;
      } else if (open != null) {
        open.add(line);
      }
    }
    return blocks;
  }

  private static String run(Path folder, String script) throws Exception {
    Path file = Files.writeString(folder.resolve("tour.sh"), script);
    Path out = folder.resolve("out.txt");
    ProcessBuilder builder = new ProcessBuilder("sh", file.toString());
    builder.environment().put("LAUREL_ADMIN_KEY", TestServer.ADMIN_KEY);
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(4, TimeUnit.MINUTES)).as("ended").isTrue();
    String output = Files.readString(out);
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
