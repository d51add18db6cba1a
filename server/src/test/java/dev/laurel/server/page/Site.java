package dev.laurel.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.laurel.server.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;

/** Boards on a server, and what a page shows of them. */
final class Site {
  private static final String BOARDS = "/api/v1/leaderboards";

  private Site() {}

  /** Makes a public board; more fields of the body with single quotes. */
  static void board(TestServer server, String uuid, String... fields) {
    String more = fields.length == 0 ? "" : "," + String.join(",", fields);
    ok(
        server.post(
            BOARDS,
            "{'UUID':'%s','visibility':'PUBLIC','decimals':0%s}"
                .formatted(uuid, more)
                .replace('\'', '"')));
  }

  static void score(TestServer server, String board, String user, long score) {
    ok(
        server.send(
            server
                .request(BOARDS + "/" + board + "/users/" + user)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"score\":" + score + "}"))));
  }

  private static void ok(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
  }

  /** The row of a user, wherever it is. */
  static Locator row(Page page, String user) {
    return page.locator("tr[data-user='" + user + "']");
  }

  static Locator state(Page page) {
    return page.locator("[part=state]");
  }

  /** Who is on the board as it is shown, from the top. */
  static List<String> names(Page page) {
    return page.locator("tbody [part=name]").allTextContents();
  }
}
