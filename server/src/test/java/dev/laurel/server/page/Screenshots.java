package dev.laurel.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import dev.laurel.server.TestServer;
import java.nio.file.Path;
import java.util.Random;

/**
 * Takes the picture of the README, and some more to look at while one works on the pages.
 *
 * <pre>{@code
 * mvn -q -pl server -am test -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false
 * java -cp "server's test class path" dev.laurel.server.page.Screenshots docs/images
 * }</pre>
 */
final class Screenshots {
  private static final String NAMES =
      "Ada Elif Grace Hiroshi Imani Jonas Kaori Mateo Noor Priya Rosa Sven Tariq Uma Viktor Wen";

  private Screenshots() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    try (TestServer server = TestServer.start();
        Browser browser = new Browser()) {
      Site.board(
          server,
          "arcade",
          "'name':'Arcade masters'",
          "'windows':[{'schedule':'daily'}, {'schedule':'weekly'}, {'schedule':'all-time'}]");
      Site.board(server, "race", "'name':'Downhill race'", "'order':'LOWEST_FIRST'");
      Random random = new Random(7);
      for (String name : NAMES.split(" ")) {
        Site.score(server, "arcade", name, 40_000 + random.nextInt(50_000));
      }
      Shot shot = new Shot(browser, server, folder);
      shot.take("dark", 860, 790, ColorScheme.DARK, "?user=Noor");
      shot.take("light", 860, 790, ColorScheme.LIGHT, "?user=Noor");
      shot.take("phone", 390, 844, ColorScheme.LIGHT, "?user=Noor");
      shot.take("wall", 1920, 1080, ColorScheme.DARK, "?wall&user=Noor");
    }
  }

  private record Shot(Browser browser, TestServer server, Path folder) {
    private static long best = 90_000;

    /** A moment after somebody took the lead. */
    void take(String name, int width, int height, ColorScheme scheme, String query) {
      Page page =
          browser.open(
              Browser.calm(width, height)
                  .setColorScheme(scheme)
                  .setReducedMotion(ReducedMotion.NO_PREFERENCE));
      page.navigate(server.laurel().url() + "/boards/arcade" + query);
      assertThat(Site.state(page)).hasText("Live");
      assertThat(page.locator("tbody tr")).hasCount(10);
      best += 1_234;
      Site.score(server, "arcade", best / 1_234 % 2 == 0 ? "Rosa" : "Hiroshi", best);
      page.waitForTimeout(1500);
      page.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve(name + ".png")));
      page.context().close();
    }
  }
}
