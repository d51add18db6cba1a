package dev.laurel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Laurel;
import dev.laurel.server.TestServer;
import dev.laurel.server.Version;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Setting;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTreeTest {
  @TempDir Path folder = Path.of("");

  private record Outcome(int code, String out, String err) {}

  private Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CommandTree.build(Map.of(), folder, new PrintWriter(out), new PrintWriter(err))
            .execute(args);
    return new Outcome(code, out.toString(), err.toString());
  }

  @Test
  void execute_noVerb_printsHelp() {
    Outcome outcome = run();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("serve").contains("version").contains("help");
  }

  @Test
  void execute_version_isThePomsVersion() {
    assertThat(Version.current()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(run("version").out()).startsWith("laurel " + Version.current());
  }

  @Test
  void execute_helpServe_listsEverySetting() {
    String help = run("help", "serve").out();
    for (Setting<?> setting : Settings.ALL) {
      assertThat(help).contains(setting.option()).contains(setting.env());
    }
    assertThat(help).contains("LAUREL_PORT or PORT, default: 8080");
  }

  @Test
  void execute_helpOfAPartOfAVerb_isItsOwn() {
    assertThat(run("help", "archive", "list").out()).startsWith("Usage: laurel archive list");
    assertThat(run("help", "dead-letters", "redrive").out())
        .contains("laurel dead-letters redrive");
    assertThat(run("help").out()).contains("serve").contains("import");
    Outcome unknown = run("help", "archive", "burn");
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("burn").contains("list, run, restore, verify");
  }

  /** docs/operating.md has a row for each. */
  @Test
  void exitCodes_areInTheDocument() throws Exception {
    String document = Files.readString(Path.of("../docs/operating.md"));
    String section = document.substring(document.indexOf("## Exit status"));
    List<Integer> rows =
        Pattern.compile("(?m)^\\| (\\d+) \\| .+ \\|$")
            .matcher(section.substring(0, section.indexOf("\n## ")))
            .results()
            .map(row -> Integer.valueOf(row.group(1)))
            .toList();
    List<Integer> codes = new ArrayList<>();
    for (Field field : ExitCode.class.getFields()) {
      codes.add(field.getInt(null));
    }
    assertThat(rows).containsExactlyElementsOf(codes.stream().sorted().toList());
  }

  @Test
  void execute_unknownOption_isUsage() {
    Outcome outcome = run("serve", "--prot", "1");
    assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
    assertThat(outcome.err()).contains("--prot").contains("laurel help serve");
    assertThat(outcome.err().lines()).hasSizeLessThan(8);
  }

  @Test
  void execute_badSetting_isUsageInOneLine() {
    Outcome outcome = run("serve", "--port", "x");
    assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
    assertThat(outcome.err().lines())
        .containsExactly("laurel: port: x from the option --port (expected: 0..65535)");
  }

  @Test
  void execute_portInUse_saysSo() {
    try (TestServer server = TestServer.start()) {
      String port = Integer.toString(server.port());
      Outcome outcome = run("serve", "--port", port, "--data", folder.toString());
      assertThat(outcome.code()).isEqualTo(ExitCode.CANNOT_LISTEN);
      assertThat(outcome.err()).contains("port " + port).contains("--port");
    }
  }

  @Test
  void execute_firstStartFails_showsTheKeyAtTheNext() {
    String data = folder.resolve("data").toString();
    try (TestServer server = TestServer.start()) {
      run("serve", "--port", Integer.toString(server.port()), "--data", data);
    }
    Configuration settings =
        Configuration.defaults().with(Settings.PORT, "0").with(Settings.DATA, data);
    try (Laurel laurel = Laurel.start(settings)) {
      assertThat(laurel.generatedAdminKey()).startsWith("laurel_");
    }
    try (Laurel laurel = Laurel.start(settings)) {
      assertThat(laurel.generatedAdminKey()).isNull();
    }
  }

  @Test
  void execute_dataFolderIsAFile_saysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    Outcome outcome = run("serve", "--port", "0", "--data", file.toString());
    assertThat(outcome.code()).isEqualTo(ExitCode.DATA_FOLDER);
    assertThat(outcome.err()).contains(file.toString()).contains("--data");
  }

  @Test
  void execute_serveWithWhatCannotBeUsed_namesTheSettingAndTheReason() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "nothing");
    assertRefused("archive", "a file is in the way", "--archive", file.toString());
    assertRefused("award-rules-key", "no such file", "--award-rules-key", file + "-2");
    assertRefused(
        "tls-cert", "in PEM", "--tls-cert", file.toString(), "--tls-key", file.toString());
    Outcome host = serve("--host", "192.0.2.1");
    assertThat(host.code()).isEqualTo(ExitCode.CANNOT_LISTEN);
    assertThat(host.err()).contains("192.0.2.1").contains("--host");
  }

  private void assertRefused(String setting, String reason, String... options) {
    Outcome outcome = serve(options);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.USAGE);
    assertThat(outcome.err()).contains(setting).contains(reason);
  }

  private Outcome serve(String... options) {
    List<String> words =
        new ArrayList<>(
            List.of("serve", "--port", "0", "--data", folder.resolve("data").toString()));
    words.addAll(List.of(options));
    return run(words.toArray(String[]::new));
  }
}
