package dev.laurel.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * clients/typescript: its types are the API's, it compiles, its live part is what the pages load,
 * and it works with a real server. What is made from something else and is not up to date is
 * written anew and fails the test, so that the difference is looked at and committed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypeScriptClientTest {
  private static final Path CLIENT = Path.of("../clients/typescript").toAbsolutePath().normalize();
  private static final Path RESOURCES = Path.of("src/main/resources").toAbsolutePath();
  private static final Path TYPES = CLIENT.resolve("src/api.ts");
  private static final Path MODULE = RESOURCES.resolve("page/laurel-live.js");
  private static final Path OUT = Path.of("target/typescript").toAbsolutePath();
  private static final Path DIST = OUT.resolve("dist");
  private static final Path SHIPPED = CLIENT.resolve("dist");

  private boolean typesWereUpToDate;
  private boolean moduleWasUpToDate;
  private boolean compiledWasUpToDate = true;

  @BeforeAll
  void make() throws IOException {
    String yaml = Files.readString(RESOURCES.resolve("openapi.yaml"));
    typesWereUpToDate = refresh(TYPES, new TypeScriptTypes(yaml).write());
    new TypeScriptCompiler(OUT.resolve("lib")).compile(CLIENT, DIST);
    moduleWasUpToDate = refresh(MODULE, Files.readString(DIST.resolve("live.js")));
    // As it is shipped: whoever installs it has no compiler.
    Files.createDirectories(SHIPPED);
    for (Path file : files(DIST)) {
      String name = file.getFileName().toString();
      compiledWasUpToDate &= refresh(SHIPPED.resolve(name), Files.readString(file));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static boolean refresh(Path file, String expected) throws IOException {
    boolean isSame = Files.exists(file) && Files.readString(file).equals(expected);
    if (!isSame) {
      Files.writeString(file, expected);
    }
    return isSame;
  }

  @Test
  void types_areThoseOfTheDescription() {
    assertThat(typesWereUpToDate).as(TYPES + ": written anew, look at it and commit it").isTrue();
  }

  @Test
  void pagesLiveModule_isTheClientsOwn() {
    assertThat(moduleWasUpToDate).as(MODULE + ": written anew, look at it and commit it").isTrue();
  }

  @Test
  void compiled_isWhatIsShipped() throws IOException {
    assertThat(compiledWasUpToDate)
        .as(SHIPPED + ": written anew, look at it and commit it")
        .isTrue();
    assertThat(files(SHIPPED)).hasSameSizeAs(files(DIST));
  }

  /** Installed as npm does it from an archive: the package's description and its files. */
  @Test
  void client_installedInAnEmptyFolder_showsTheBoardOfItsReadme(@TempDir Path project)
      throws IOException {
    Path installed = Files.createDirectories(project.resolve("node_modules/laurel-client/dist"));
    Files.copy(CLIENT.resolve("package.json"), installed.resolveSibling("package.json"));
    for (Path file : files(SHIPPED)) {
      Files.copy(file, installed.resolve(file.getFileName()));
    }
    try (TestServer server = TestServer.start()) {
      server.post(
          "/api/v1/leaderboards", "{\"UUID\":\"arcade\",\"visibility\":\"PUBLIC\",\"decimals\":0}");
      var score =
          server
              .request("/api/v1/leaderboards/arcade/users/ada")
              .header("Content-Type", "application/json")
              .PUT(BodyPublishers.ofString("{\"score\":1500}"));
      assertThat(server.send(score).statusCode()).isEqualTo(200);
      String readme = Files.readString(CLIENT.resolve("README.md"));
      String block = readme.substring(readme.indexOf("```js\n") + 6, readme.indexOf("```\n"));
      assertThat(block).contains("laurel.watch(").contains("http://127.0.0.1:8080");
      // Ends when the board has been shown; the rest is as printed.
      String pasted =
          block
                  .replace("http://127.0.0.1:8080", server.laurel().url())
                  .replace("console.clear();", "setTimeout(() => live.close());")
              + "\n";
      Path script = Files.writeString(project.resolve("index.mjs"), pasted);
      assertThat(TypeScriptCompiler.node(Map.of(), script.toString())).contains("1 ada 1500");
    }
  }

  @Test
  void client_withARealServer_works() throws IOException {
    try (TestIssuer issuer = new TestIssuer();
        TestServer server = TestServer.start(issuer.settings(), _ -> {})) {
      String rules = "{\"version\":1,\"rules\":{\"watch_video\":25,\"share_link\":5}}";
      assertThat(
              server
                  .send(
                      server
                          .request("/api/v1/award-rules")
                          .header("Content-Type", "application/json")
                          .PUT(BodyPublishers.ofString(rules)))
                  .statusCode())
          .isEqualTo(200);
      List<Path> tests;
      try (var files = Files.list(CLIENT.resolve("test"))) {
        tests = files.filter(file -> file.toString().endsWith(".test.js")).sorted().toList();
      }
      assertThat(tests).isNotEmpty();
      String said =
          TypeScriptCompiler.node(
              Map.of(
                  "LAUREL_CLIENT",
                  DIST.resolve("index.js").toUri().toString(),
                  "LAUREL_URL",
                  server.laurel().url(),
                  "LAUREL_KEY",
                  TestServer.ADMIN_KEY,
                  "LAUREL_TOKEN",
                  issuer.token("ada")),
              java.util.stream.Stream.concat(
                      java.util.stream.Stream.of("--test", "--test-reporter=tap"),
                      tests.stream().map(Path::toString))
                  .toArray(String[]::new));
      assertThat(said).contains("# fail 0").doesNotContain("# pass 0");
    }
  }
}
