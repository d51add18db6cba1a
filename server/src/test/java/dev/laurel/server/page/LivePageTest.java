package dev.laurel.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ReducedMotion;
import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A board that moves, as a visitor sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LivePageTest {
  /** Counts the rows that were let glide. */
  private static final String COUNT_GLIDES =
      """
      window.glides = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        if (frames[0]?.transform) window.glides++;
        return animate.call(this, frames, options);
      };
      """;

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Browser browser;

  private int made;

  @BeforeAll
  void start() {
    browser = new Browser();
    server = TestServer.start();
  }

  @AfterAll
  void stop() {
    browser.close();
    server.close();
  }

  @AfterEach
  void pagesHadNothingToComplainOf() {
    assertThat(browser.complaints()).isEmpty();
  }

  /** A board with the players a (30), b (20) and c (10). */
  private String board() {
    String board = "live-" + ++made;
    Site.board(server, board);
    Site.score(server, board, "a", 30);
    Site.score(server, board, "b", 20);
    Site.score(server, board, "c", 10);
    return board;
  }

  private Page open(String path) {
    return open(browser.open(Browser.calm(900, 800)), path);
  }

  private Page open(Page page, String path) {
    page.navigate(server.laurel().url() + path);
    assertThat(Site.state(page)).hasText("Live");
    return page;
  }

  private static void shows(Page page, String... names) {
    assertThat(page.locator("tbody [part=name]")).hasText(names);
  }

  @Test
  void update_ofAScore_letsTheRowGlideToItsPlace() {
    String board = board();
    Page page = browser.open(Browser.calm(900, 800).setReducedMotion(ReducedMotion.NO_PREFERENCE));
    page.addInitScript(COUNT_GLIDES);
    open(page, "/boards/" + board);
    shows(page, "a", "b", "c");
    assertThat(page.evaluate("window.glides")).isEqualTo(0);
    Site.score(server, board, "c", 40);
    shows(page, "c", "a", "b");
    assertThat(Site.row(page, "c").locator("[part=move]")).hasText("▲2");
    assertThat(Site.row(page, "a").locator("[part=move]")).hasText("▼1");
    assertThat(Site.row(page, "c").locator("[part=score]")).hasText("40");
    assertThat(page.evaluate("window.glides")).isEqualTo(3);
    // The mark goes by itself.
    assertThat(Site.row(page, "c").locator("[part=move]")).hasText("");
    page.context().close();
  }

  @Test
  void update_forWhoWantsNoMotion_movesTheRowAtOnce() {
    String board = board();
    Page page = browser.open(Browser.calm(900, 800));
    page.addInitScript(COUNT_GLIDES);
    open(page, "/boards/" + board);
    Site.score(server, board, "c", 40);
    shows(page, "c", "a", "b");
    assertThat(page.evaluate("window.glides")).isEqualTo(0);
    page.context().close();
  }

  @Test
  void update_ofOnesOwnRow_isSeenAndSaid() {
    String board = board();
    Page page = open("/boards/" + board + "?top=2&user=c");
    assertThat(page.locator("tfoot [part=place]")).hasText("3");
    Site.score(server, board, "d", 15);
    assertThat(page.locator("tfoot [part=place]")).hasText("4");
    assertThat(page.locator("laurel-board [role=status]")).hasText("You are now number 4.");
    Site.score(server, board, "c", 50);
    shows(page, "c", "a");
    assertThat(page.locator("tfoot tr")).hasCount(0);
    // Put together, and not sooner than one can listen to.
    assertThat(page.locator("laurel-board [role=status]"))
        .hasText("You are now number 1. c leads with 50.");
    page.context().close();
  }

  @Test
  void firstScore_onAnEmptyBoard_appears() {
    String board = "live-" + ++made;
    Site.board(server, board);
    Page page = open("/boards/" + board);
    assertThat(page.locator("[part=message]")).containsText("No scores yet");
    Site.score(server, board, "a", 1);
    shows(page, "a");
    assertThat(page.locator("[part=message]")).isHidden();
    page.context().close();
  }

  @Test
  void restart_ofTheServer_isSurvived() {
    String board = board();
    Page page = open("/boards/" + board);
    server =
        server.restart(
            () -> assertThat(Site.state(page)).hasText(Pattern.compile("Connecting|Offline.*")));
    Site.score(server, board, "c", 40);
    shows(page, "c", "a", "b");
    assertThat(Site.state(page)).hasText("Live");
    Site.score(server, board, "b", 50);
    shows(page, "b", "c", "a");
    page.context().close();
  }

  @Test
  void streams_thatFail_arePolledUntilTheyWorkAgain() {
    String board = board();
    Page page = browser.open(Browser.calm(900, 800));
    page.route("**/stream?*", Route::abort);
    page.navigate(server.laurel().url() + "/boards/" + board);
    assertThat(Site.state(page)).hasText("Updated every few seconds");
    Site.score(server, board, "c", 40);
    shows(page, "c", "a", "b");
    page.unroute("**/stream?*");
    assertThat(Site.state(page)).hasText("Live");
    Site.score(server, board, "b", 50);
    shows(page, "b", "c", "a");
    page.context().close();
  }

  @Test
  void page_thatNobodyLooksAt_holdsNoConnection() {
    String board = board();
    Page page = open("/boards/" + board + "?user=c");
    Poll.until("one connection for both streams", () -> streams() == 1);
    look(page, "hidden");
    Poll.until("no stream", () -> streams() == 0);
    Site.score(server, board, "c", 40);
    shows(page, "a", "b", "c");
    look(page, "visible");
    shows(page, "c", "a", "b");
    page.context().close();
  }

  @Test
  void page_openedBehindAnother_holdsNoConnection() {
    String board = board();
    Page page = browser.open(Browser.calm(900, 800));
    page.addInitScript(
        "Object.defineProperty(document, 'visibilityState', {configurable: true, value: 'hidden'});");
    page.navigate(server.laurel().url() + "/boards/" + board);
    shows(page, "a", "b", "c");
    Poll.until("no stream", () -> streams() == 0);
    Site.score(server, board, "c", 40);
    look(page, "visible");
    shows(page, "c", "a", "b");
    assertThat(Site.state(page)).hasText("Live");
    page.context().close();
  }

  @Test
  void component_removedWhileHiddenAndPutBack_isLive() {
    String board = board();
    Page page = open("/boards/" + board);
    page.clock().install();
    look(page, "hidden");
    page.evaluate(
        """
        window.kept = document.querySelector("laurel-board");
        window.place = kept.parentNode;
        kept.remove();
        """);
    look(page, "visible");
    page.evaluate("place.append(kept)");
    // The time at which it would have gone to sleep, had it stayed.
    page.clock().runFor(6_000);
    page.clock().resume();
    assertThat(Site.state(page)).hasText("Live");
    Site.score(server, board, "c", 40);
    shows(page, "c", "a", "b");
    page.context().close();
  }

  @Test
  void player_beyondTheLastPlace_seesTheOwnScore() {
    String board = "live-" + ++made;
    Site.board(server, board, "'windows':[{'name':'w','schedule':'all-time','capacity':2}]");
    Site.score(server, board, "a", 90);
    Site.score(server, board, "b", 80);
    Site.score(server, board, "c", 60);
    Page page = open("/boards/" + board + "?user=c");
    assertThat(page.locator("tfoot [part=score]")).hasText("60");
    assertThat(page.locator("tfoot [part=place]")).hasText("–");
    Site.score(server, board, "c", 70);
    assertThat(page.locator("tfoot [part=score]")).hasText("70");
    page.context().close();
  }

  private static void look(Page page, String state) {
    page.evaluate(
        """
        state => {
          Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
          document.dispatchEvent(new Event("visibilitychange"));
        }
        """,
        state);
  }

  private int streams() {
    return Pattern.compile("(?m)^leaderboard_sse_clients(?:\\{.*})? (\\d+)")
        .matcher(server.get("/metrics").body())
        .results()
        .mapToInt(match -> Integer.parseInt(match.group(1)))
        .sum();
  }

  @Test
  void twoBrowsers_sideBySide_seeEachOther() {
    String board = board();
    Page one = open("/boards/" + board);
    Page other = open("/boards/" + board);
    for (int i = 1; i <= 3; i++) {
      one.evaluate(
          """
          ([board, key, score]) => fetch(`/api/v1/leaderboards/${board}/users/c`, {
            method: "PUT",
            headers: { "X-API-Key": key, "Content-Type": "application/json" },
            body: JSON.stringify({ score }),
          })
          """,
          List.of(board, TestServer.ADMIN_KEY, 40 + i));
      assertThat(Site.row(other, "c").locator("[part=score]")).hasText("" + (40 + i));
      shows(one, "c", "a", "b");
    }
    one.context().close();
    other.context().close();
  }

  @Test
  void thousandUpdatesASecond_leaveThePageResponsive() throws InterruptedException {
    String board = board();
    Page page =
        open(
            browser.open(Browser.calm(900, 800).setReducedMotion(ReducedMotion.NO_PREFERENCE)),
            "/boards/" + board + "?top=50&user=u7");
    AtomicBoolean enough = new AtomicBoolean();
    Thread writer = Thread.ofVirtual().start(() -> writeUntil(enough, board));
    page.evaluate(
        """
        () => new Promise(resolve => {
          let frames = 0;
          const frame = () => ++frames < 100 ? requestAnimationFrame(frame) : resolve();
          requestAnimationFrame(frame);
        })
        """);
    page.getByLabel("Your player id").fill("u8");
    page.getByText("Show me").click();
    assertThat(Site.row(page, "u8").locator("[part=you]")).hasText("you");
    enough.set(true);
    writer.join();
    Site.score(server, board, "last", 1_000_000_000);
    assertThat(page.locator("tbody [part=name]").first()).hasText("last");
    List<String> expected =
        Pattern.compile("\"userId\":\"(\\w+)\"")
            .matcher(server.get("/api/v1/leaderboards/" + board + "/top?limit=50").body())
            .results()
            .map(match -> match.group(1))
            .toList();
    Poll.until("the page shows what the board says", () -> Site.names(page).equals(expected));
    page.context().close();
  }

  /** A hundred changes at a time, ten times a second. */
  private void writeUntil(AtomicBoolean enough, String board) {
    long score = 0;
    long next = System.nanoTime();
    while (!enough.get()) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 100; i++) {
        score += 37;
        lines
            .append(i == 0 ? "" : ",")
            .append(
                "{\"userId\":\"u%d\",\"score\":%d}".formatted(score % 61, score * 7919 % 100_003));
      }
      server.post("/api/v1/leaderboards/" + board + "/scores", "{\"scores\":[" + lines + "]}");
      next += 100_000_000;
      java.util.concurrent.locks.LockSupport.parkNanos(next - System.nanoTime());
    }
  }
}
