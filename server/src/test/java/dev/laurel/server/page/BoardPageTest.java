package dev.laurel.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.SelectOption;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a visitor sees of a board that is left alone; see LivePageTest for what moves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoardPageTest {
  private final ManualClock clock = new ManualClock();

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Browser browser;

  @BeforeAll
  void start() {
    browser = new Browser();
    server = TestServer.start(clock);
    Site.board(
        server,
        "arcade",
        "'name':'Arcade masters'",
        "'windows':[{'schedule':'all-time'}, {'schedule':'daily'}]");
    for (int i = 1; i <= 30; i++) {
      Site.score(server, "arcade", "player-" + i, 1000 - 10L * i);
    }
    server.post("/api/v1/leaderboards", "{\"UUID\":\"secret\",\"name\":\"Nobody's business\"}");
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

  private Page open(int width, String path) {
    Page page = browser.open(Browser.calm(width, 800));
    page.navigate(server.laurel().url() + path);
    return page;
  }

  @Test
  void page_firstPaint_hasNameRowsAndTotal() {
    Page page = open(1000, "/boards/arcade");
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
        .hasText("Arcade masters");
    assertThat(page.locator("tbody tr")).hasCount(10);
    assertThat(Site.names(page)).startsWith("player-1", "player-2").endsWith("player-10");
    assertThat(Site.row(page, "player-1").locator("[part=score]")).hasText("990");
    assertThat(page.locator("[part=total]")).hasText("30 players");
    assertThat(page).hasTitle("Arcade masters · Laurel");
    page.context().close();
  }

  @Test
  void page_ownUserInTheList_isMarkedThere() {
    Page page = open(1000, "/boards/arcade?user=player-3");
    assertThat(Site.row(page, "player-3")).hasCount(1);
    assertThat(Site.row(page, "player-3").locator("[part=you]")).hasText("you");
    assertThat(page.locator("tfoot tr")).hasCount(0);
    page.context().close();
  }

  @Test
  void page_ownUserBeyondTheList_hasRankAndScoreInSight() {
    Page page = open(1000, "/boards/arcade");
    page.setViewportSize(1000, 300);
    page.getByLabel("Your player id").fill("player-23");
    page.getByText("Show me").click();
    Locator own = page.locator("tfoot tr");
    assertThat(own.locator("[part=place]")).hasText("23");
    assertThat(own.locator("[part=score]")).hasText("770");
    // At the lower edge of the window, however long the list above it is.
    assertThat(own).isInViewport();
    page.mouse().wheel(0, 150);
    assertThat(own).isInViewport();
    assertThat(page.url()).endsWith("/boards/arcade?user=player-23");
    page.context().close();
  }

  @Test
  void page_userWhoIsNotThere_isNotTakenForTheViewer() {
    Page page = open(1000, "/boards/arcade?user=mistyped");
    assertThat(page.locator("tfoot tr")).containsText("not on this board");
    assertThat(page.locator("tfoot [part=name]")).hasText("mistyped");
    assertThat(page.locator("tfoot [part=you]")).hasText("");
    page.context().close();
  }

  @Test
  void page_narrow_cutsTheNameAndShowsTheBadgeBesideIt() {
    String name = "a-player-whose-name-is-longer-than-a-phone-is-wide";
    Site.board(server, "narrow");
    Site.score(server, "narrow", name, 1_000_000);
    for (int width : new int[] {1200, 390, 280}) {
      Page page = open(width, "/boards/narrow?user=" + name);
      Locator row = Site.row(page, name);
      assertThat(row.locator("[part=you]")).hasText("you");
      BoundingBox shown = row.locator("[part=name]").boundingBox();
      BoundingBox badge = row.locator("[part=you]").boundingBox();
      BoundingBox score = row.locator("[part~=score]").boundingBox();
      assertThat(shown.width).as("name at " + width).isGreaterThan(40);
      assertThat(badge.x).as("at " + width).isGreaterThanOrEqualTo(shown.x + shown.width);
      assertThat(badge.x + badge.width).as("at " + width).isLessThanOrEqualTo(score.x);
      page.context().close();
    }
  }

  @Test
  void page_boardsThatCannotBeSeen_saySoWithoutTellingWhy() {
    for (String board : List.of("secret", "nowhere")) {
      Page page = open(1000, "/boards/" + board);
      assertThat(page.locator("[part=message]"))
          .hasText("There is no such board, or it is not public.");
      assertThat(page.locator("table")).isHidden();
      page.context().close();
    }
    Page page = open(1000, "/boards/arcade?period=yearly");
    assertThat(page.locator("[part=message]")).hasText("This season does not exist.");
    page.context().close();
  }

  @Test
  void page_boardWithoutScores_saysSo() {
    Site.board(server, "quiet");
    Page page = open(1000, "/boards/quiet");
    assertThat(page.locator("[part=message]")).containsText("No scores yet");
    page.context().close();
  }

  @Test
  void list_ofBoards_linksToThePublicOnes() {
    Page page = open(1000, "/boards");
    assertThat(page.getByText("Arcade masters")).isVisible();
    assertThat(page.getByText("Nobody's business")).hasCount(0);
    page.getByText("Arcade masters").click();
    assertThat(page.locator("tbody tr")).hasCount(10);
    page.context().close();
  }

  @Test
  void page_seasons_canBeChosen() {
    Site.board(server, "days", "'windows':[{'schedule':'daily'}, {'schedule':'all-time'}]");
    Site.score(server, "days", "yesterdays-hero", 70);
    clock.turn(Duration.ofDays(1));
    Site.score(server, "days", "todays-hero", 50);
    Page page = open(1000, "/boards/days");
    assertThat(Site.row(page, "todays-hero")).isVisible();
    assertThat(page.locator("tbody tr")).hasCount(1);
    page.getByLabel("Season").selectOption(new SelectOption().setIndex(1));
    assertThat(Site.row(page, "yesterdays-hero")).isVisible();
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.url()).contains("season=");
    page.getByLabel("Period").selectOption("all-time");
    assertThat(page.locator("tbody tr")).hasCount(2);
    page.context().close();
  }

  @Test
  void page_seasonThatEnds_goesOnWithTheNext() {
    Site.board(server, "hours", "'windows':[{'schedule':'hourly','grace':'PT0S'}]");
    Site.score(server, "hours", "first", 70);
    Page page = open(1000, "/boards/hours");
    assertThat(Site.row(page, "first")).isVisible();
    assertThat(page.locator("#seasons")).isHidden();
    clock.turn(Duration.ofHours(1));
    assertThat(page.locator("[part=message]")).containsText("No scores yet");
    Site.score(server, "hours", "second", 50);
    assertThat(Site.row(page, "second")).isVisible();
    // The one that is over can be chosen now.
    page.getByLabel("Season").selectOption(new SelectOption().setIndex(1));
    assertThat(Site.row(page, "first")).isVisible();
    assertThat(page.locator("#season")).containsText("Final result");
    page.context().close();
  }
}
