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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
}
