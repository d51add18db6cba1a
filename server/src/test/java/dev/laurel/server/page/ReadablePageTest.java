package dev.laurel.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.laurel.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whether a page can be read: on a phone, on a wall, in the dark, by ear and without a mouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadablePageTest {
  /** Every visible text with its contrast (WCAG 2.2, 1.4.3) to what is behind it. */
  private static final String CONTRASTS =
      """
      () => {
        const found = {};
        const channels = color => color.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => {
          const [x, y, z] = [r, g, b].map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
          return .2126 * x + .7152 * y + .0722 * z;
        };
        const behind = element => {
          for (let e = element; e; e = e.parentElement ?? e.getRootNode().host) {
            const color = channels(getComputedStyle(e).backgroundColor);
            if (color.length === 3 || color[3] === 1) return color;
          }
          return [255, 255, 255];
        };
        const walk = root => {
          for (const element of root.querySelectorAll("*")) {
            if (element.shadowRoot) walk(element.shadowRoot);
            const text = [...element.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join("");
            if (text && element.checkVisibility() && element.getClientRects().length) {
              const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
              found[text] = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
            }
          }
        };
        walk(document.body);
        return found;
      }
      """;

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Browser browser;

  @BeforeAll
  void start() {
    browser = new Browser();
    server = TestServer.start();
    Site.board(
        server,
        "arcade",
        "'name':'Arcade masters'",
        "'windows':[{'schedule':'daily'}, {'schedule':'all-time'}]");
    Site.score(server, "arcade", "ada", 30_000);
    Site.score(server, "arcade", "a-player-whose-name-is-far-longer-than-a-phone-is-wide", 20_000);
    Site.score(server, "arcade", "cem", 1_000_000_000_000L);
    Site.score(server, "arcade", "dora", 5);
  }

  @AfterAll
  void stop() {
    browser.close();
    server.close();
  }

  private Page open(com.microsoft.playwright.Browser.NewContextOptions options, String query) {
    Page page = browser.open(options);
    page.navigate(server.laurel().url() + "/boards/arcade" + query);
    assertThat(page.locator("tbody tr").first()).isVisible();
    assertThat(page.getByLabel("Period")).isAttached();
    return page;
  }

  @Test
  void phone_longNamesAndScores_needNoScrollingSideways() {
    for (int width : List.of(320, 390)) {
      Page page = open(Browser.calm(width, 844), "?user=dora&top=3");
      assertThat(page.locator("tfoot tr")).hasCount(1);
      assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
      assertThat(Site.row(page, "cem").locator("[part=score]")).hasText("1,000,000,000,000");
      assertThat(
              page.evaluate(
                  "document.querySelector('laurel-board').shadowRoot.querySelector('table').scrollWidth <= "
                      + "document.querySelector('laurel-board').clientWidth"))
          .isEqualTo(true);
      page.context().close();
    }
  }

  @Test
  void wall_allRowsAndTheTotal_fitOnTheScreen() {
    Page page = open(Browser.calm(1920, 1080), "?wall&top=4");
    assertThat(page.locator("[part=total]")).isInViewport();
    assertThat(page.locator("form")).isHidden();
    assertThat(page.evaluate("document.documentElement.scrollHeight")).isEqualTo(1080);
    Number size =
        (Number)
            page.locator("tbody [part=name]")
                .first()
                .evaluate("e => parseFloat(getComputedStyle(e).fontSize)");
    assertThat(size.doubleValue()).isGreaterThan(40);
    page.context().close();
  }

  @Test
  void texts_lightAndDark_haveContrast() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      Page page = open(Browser.calm(900, 800).setColorScheme(scheme), "?user=ada");
      assertThat(Site.row(page, "ada").locator("[part=you]")).hasText("you");
      @SuppressWarnings("unchecked") // texts and numbers, as the function says
      Map<String, Number> contrasts = (Map<String, Number>) page.evaluate(CONTRASTS);
      assertThat(contrasts).containsKeys("Arcade masters", "ada", "you", "4 players");
      contrasts.forEach(
          (text, contrast) ->
              assertThat(contrast.doubleValue()).as(scheme + ": " + text).isGreaterThan(4.5));
      page.context().close();
    }
  }

  @Test
  void theme_givenInTheAddress_winsOverTheSystems() {
    Page dark = open(Browser.calm(900, 800).setColorScheme(ColorScheme.LIGHT), "?theme=dark");
    assertThat(background(dark)).isLessThan(60);
    Page light = open(Browser.calm(900, 800).setColorScheme(ColorScheme.DARK), "?theme=light");
    assertThat(background(light)).isGreaterThan(200);
    dark.context().close();
    light.context().close();
  }

  /** The red of the board's own ground. */
  private static int background(Page page) {
    String color =
        (String) page.locator("laurel-board").evaluate("e => getComputedStyle(e).backgroundColor");
    return Integer.parseInt(color.replaceAll("\\D+(\\d+).*", "$1"));
  }

  @Test
  void screenReader_hearsHeadingsChoicesAndTheTableInOrder() {
    Page page = open(Browser.calm(900, 800), "?user=dora&top=2");
    assertThat(page.locator("tfoot [part=place]")).hasText("4");
    assertThat(page.locator("main"))
        .matchesAriaSnapshot(
            """
            - heading "Arcade masters" [level=1]
            - paragraph: /Ends in/
            - text: Period
            - combobox "Period":
              - option "daily" [selected]
              - option "all-time"
            - text: Your player id
            - textbox "Your player id": dora
            - button "Show me"
            - heading "Arcade masters" [level=2]
            - paragraph: Live
            - table "Arcade masters":
              - rowgroup:
                - row "Rank Player Score":
                  - columnheader "Rank"
                  - columnheader "Player"
                  - columnheader "Score"
              - rowgroup:
                - row "1 cem 1,000,000,000,000":
                  - cell "1"
                  - rowheader "cem"
                  - cell "1,000,000,000,000"
                - row "2 ada 30,000":
                  - cell "2"
                  - rowheader "ada"
                  - cell "30,000"
              - rowgroup:
                - row "4 dora you 5":
                  - cell "4"
                  - rowheader "dora you"
                  - cell "5"
            - paragraph: 4 players
            - status
            """);
    page.context().close();
  }

  @Test
  void keyboard_reachesEverythingInReadingOrder() {
    Page page = open(Browser.calm(900, 800), "");
    assertThat(page.getByLabel("Period")).isVisible();
    List<String> reached = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      page.keyboard().press("Tab");
      reached.add(
          (String)
              page.evaluate(
                  "document.activeElement.name || document.activeElement.textContent.trim()"));
    }
    assertThat(reached).containsExactly("Laurel", "period", "user", "Show me");
    page.getByLabel("Your player id").fill("cem");
    page.keyboard().press("Enter");
    assertThat(Site.row(page, "cem").locator("[part=you]")).hasText("you");
    page.context().close();
  }
}
