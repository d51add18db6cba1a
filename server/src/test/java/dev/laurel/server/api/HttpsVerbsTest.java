package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestAuthority;
import dev.laurel.server.TestAuthority.Identity;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That every verb which talks to a server can do so by HTTPS. */
class HttpsVerbsTest {
  private static final List<List<String>> VERBS =
      List.of(
          List.of("import", "--board", "solo", "scores.csv"),
          List.of("export", "--board", "solo", "--output", "solo.csv"),
          List.of("verify", "solo"),
          List.of("rebuild", "solo"),
          List.of("archive", "list"),
          List.of("bench", "--users=100", "--warmup=0s", "--duration=1s", "--connections=2"));

  @Test
  void verbs_withTheAuthorityAndACertificate_workAndWithoutSayWhatIsMissing(@TempDir Path folder)
      throws IOException {
    TestAuthority authority = new TestAuthority(folder, "authority");
    Identity own = authority.issue("server");
    Identity shown = authority.issue("operator");
    String ca = authority.certificate().toString();
    Files.writeString(folder.resolve("scores.csv"), "userId,score\nann,1\nbob,2\n");
    try (TestServer server =
        TestServer.start(
            s ->
                s.with(Settings.TLS_CERT, own.cert().toString())
                    .with(Settings.TLS_KEY, own.key().toString())
                    .with(Settings.TLS_CLIENT_CA, ca),
            _ -> {})) {
      List<String> whole =
          List.of(
              "--ca", ca, "--cert", shown.cert().toString(), "--cert-key", shown.key().toString());
      board(server, folder, whole);
      for (List<String> verb : VERBS) {
        Cli good = run(server, folder, verb, whole);
        assertThat(good.code()).as(verb + ": " + good).isZero();
        Cli distrusting = run(server, folder, verb, List.of());
        assertThat(distrusting.code()).as(verb + ": " + distrusting).isNotZero();
        assertThat(distrusting.err()).contains("no secure connection to https://", "--ca");
      }
      Cli nobody = run(server, folder, VERBS.get(2), List.of("--ca", ca));
      assertThat(nobody.err()).contains("CERTIFICATE_REQUIRED");
      Cli half = run(server, folder, VERBS.get(2), List.of("--cert", ca));
      assertThat(half.code()).isEqualTo(2);
      assertThat(half.err()).contains("--cert, --cert-key: not both");
      Cli wrong = run(server, folder, VERBS.get(2), List.of("--ca", "scores.csv"));
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.err()).contains("expected: files in PEM");
    }
  }

  /** Made by the bench, which can make boards and leave them open. */
  private static void board(TestServer server, Path folder, List<String> tls) {
    List<String> bench = new ArrayList<>(VERBS.getLast());
    bench.addAll(List.of("--board", "solo", "--keep"));
    Cli made = run(server, folder, bench, tls);
    assertThat(made.code()).as(made.toString()).isZero();
  }

  private static Cli run(TestServer server, Path folder, List<String> verb, List<String> more) {
    List<String> all = new ArrayList<>(verb);
    all.addAll(more);
    if (verb.getFirst().equals("bench")) {
      // The only verb that starts a server of its own when none is named.
      all.addAll(List.of("--url", server.laurel().url(), "--key", TestServer.ADMIN_KEY));
    }
    return Cli.run(server, folder, all.toArray(new String[0]));
  }
}
