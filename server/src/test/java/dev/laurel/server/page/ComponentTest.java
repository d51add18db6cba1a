package dev.laurel.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The component on a page that is not Laurel's. */
class ComponentTest {
  private static final String PAGE =
      """
      <!doctype html><html lang="de"><title>A fan's page</title>
      <style>laurel-board { --laurel-surface: rgb(1, 2, 3); }</style>
      <script type="module" src="%s/page/laurel-board.js"></script>
      <h1>My favourite game</h1>
      <laurel-board board="%s" top="2" theme="dark"></laurel-board>
      """;

  private final TestServer server = TestServer.start();
  private final Browser browser = new Browser();

  @SuppressWarnings("NullAway.Init") // set before every test
  private HttpServer site;

  private volatile String html = "";

  @BeforeEach
  void start() throws IOException {
    Site.board(server, "arcade");
    Site.score(server, "arcade", "ada", 1500);
    Site.score(server, "arcade", "bob", 1400);
    html = PAGE.formatted(server.laurel().url(), "arcade");
    site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    site.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] body = html.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    site.start();
  }

  @AfterEach
  void stop() {
    site.stop(0);
    browser.close();
    server.close();
  }

  private String origin() {
    return "http://127.0.0.1:" + site.getAddress().getPort();
  }

  private void allowOrigin() {
    String body = "{\"origins\":[\"%s\"]}".formatted(origin());
    var request =
        server
            .request("/api/v1/cors")
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body));
    assertThat(server.send(request).statusCode()).isEqualTo(200);
  }

  private Page open() {
    Page page = browser.open(Browser.calm(900, 800));
    page.navigate(origin() + "/");
    return page;
  }

  @Test
  void component_onAnotherOriginThatIsAllowed_isLiveAndInThePagesColours() {
    allowOrigin();
    Page page = open();
    assertThat(page.locator("[part=state]")).hasText("Live");
    assertThat(page.locator("tbody [part=name]")).hasText(new String[] {"ada", "bob"});
    // As the page's language writes numbers.
    assertThat(Site.row(page, "ada").locator("[part=score]")).hasText("1.500");
    assertThat(page.locator("laurel-board")).hasCSS("background-color", "rgb(1, 2, 3)");
    Site.score(server, "arcade", "bob", 1600);
    assertThat(page.locator("tbody [part=name]")).hasText(new String[] {"bob", "ada"});
    page.locator("laurel-board").evaluate("board => board.setAttribute('top', '1')");
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(browser.complaints()).isEmpty();
    // Taken away, it leaves no connection behind.
    page.evaluate("window.board = document.querySelector('laurel-board'); board.remove()");
    Site.score(server, "arcade", "bob", 1700);
    page.evaluate("document.body.append(board)");
    assertThat(Site.row(page, "bob").locator("[part=score]")).hasText("1.700");
  }

  /** The script is for every site; what is on the board is for those that the tenant allows. */
  @Test
  void component_onAnotherOriginThatIsNotAllowed_isThereAndSaysThatItHasNothing() {
    Page page = open();
    assertThat(page.locator("[part=state]")).hasText("Offline, trying again");
    assertThat(page.locator("tbody tr")).hasCount(0);
  }

  @Test
  void components_twentyOnAPage_shareOneConnection() {
    allowOrigin();
    StringBuilder boards = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      Site.board(server, "b" + i);
      Site.score(server, "b" + i, "ada", 100 + i);
      Site.score(server, "b" + i, "bob", 50);
      boards.append(
          "<laurel-board id='b%d' board='b%d' top='1' user='bob'></laurel-board>".formatted(i, i));
    }
    html =
        "<!doctype html><html lang='en'><title>Many</title><script type='module' src='%s/page/laurel-board.js'></script>%s"
            .formatted(server.laurel().url(), boards);
    Page page = open();
    assertThat(page.getByText("Live", new Page.GetByTextOptions().setExact(true))).hasCount(20);
    for (int i = 0; i < 20; i++) {
      assertThat(page.locator("#b" + i + " tfoot [part=place]")).hasText("2");
    }
    assertThat(server.get("/metrics").body()).contains("\nleaderboard_sse_clients 1.0\n");
    for (int i = 0; i < 20; i++) {
      Site.score(server, "b" + i, "bob", 500 + i);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(page.locator("#b" + i + " tbody [part=name]")).hasText("bob");
      assertThat(page.locator("#b" + i + " tbody [part=score]")).hasText("" + (500 + i));
    }
    // One more, and one less: the others go on.
    page.evaluate(
        """
        document.querySelector("#b3").remove();
        const more = document.querySelector("#b4").cloneNode();
        more.id = "more";
        more.setAttribute("board", "arcade");
        document.body.append(more);
        """);
    assertThat(page.locator("#more tbody [part=name]")).hasText("ada");
    Site.score(server, "b5", "cem", 900);
    assertThat(page.locator("#b5 tbody [part=name]")).hasText("cem");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void component_ofAPrivateBoard_takesTickets() {
    allowOrigin();
    server.post("/api/v1/leaderboards", "{\"UUID\":\"secret\",\"decimals\":0}");
    Site.score(server, "secret", "ada", 7);
    html =
        PAGE.formatted(server.laurel().url(), "secret")
            + """
            <script type="module">
              document.querySelector("laurel-board").ticket = () => window.fetchTicket();
            </script>
            """;
    Page page = browser.open(Browser.calm(900, 800));
    // As the page's own server would get one.
    page.exposeFunction(
        "fetchTicket",
        _ ->
            server
                .send(
                    server
                        .request("/api/v1/leaderboards/secret/tickets")
                        .POST(BodyPublishers.noBody()))
                .body()
                .replaceAll(".*\"ticket\":\"([^\"]+)\".*", "$1"));
    page.navigate(origin() + "/");
    assertThat(Site.row(page, "ada").locator("[part=score]")).hasText("7");
    assertThat(page.locator("[part=state]")).hasText("Live");
  }
}
