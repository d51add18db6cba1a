package dev.laurel.server.page;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.laurel.server.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Takes the pictures of the documentation, and some to look at while one works on the pages.
 *
 * <pre>{@code
 * java -cp <test classpath of server> dev.laurel.server.page.Screenshots ../docs/images
 * }</pre>
 */
final class Screenshots {
  private static final List<String> NAMES =
      List.of(
          "Ada",
          "Björn",
          "Chiara",
          "Dmitri",
          "Elif",
          "Farid",
          "Grace",
          "Hiroshi",
          "Imani",
          "Jonas",
          "Kaori",
          "Lucía",
          "Mateo",
          "Noor",
          "Oluwaseun",
          "Priya",
          "Quentin",
          "Rosa",
          "Sven",
          "Tariq");

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
      Site.board(server, "rewards", "'name':'Rewards'");
      Random random = new Random(7);
      for (String name : NAMES) {
        long score = 1000 + random.nextInt(90_000);
        Site.score(
            server,
            "arcade",
            java.net.URLEncoder.encode(name, java.nio.charset.StandardCharsets.UTF_8),
            score);
      }
      shoot(browser, server, folder.resolve("live.png"), 900, 760, ColorScheme.LIGHT, "?user=Ada");
      shoot(browser, server, folder.resolve("dark.png"), 900, 760, ColorScheme.DARK, "?user=Noor");
      shoot(
          browser, server, folder.resolve("phone.png"), 390, 844, ColorScheme.LIGHT, "?user=Noor");
      shoot(
          browser,
          server,
          folder.resolve("wall.png"),
          1920,
          1080,
          ColorScheme.DARK,
          "?wall&user=Noor");
      shoot(browser, server, folder.resolve("error.png"), 390, 600, ColorScheme.DARK, "x");
      Page list = browser.open(Browser.calm(900, 600));
      list.navigate(server.laurel().url() + "/boards");
      list.locator("li").first().waitFor();
      list.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve("list.png")));
    }
  }

  private static void shoot(
      Browser browser,
      TestServer server,
      Path file,
      int width,
      int height,
      ColorScheme scheme,
      String query) {
    Page page =
        browser.open(
            Browser.calm(width, height)
                .setColorScheme(scheme)
                .setReducedMotion(com.microsoft.playwright.options.ReducedMotion.NO_PREFERENCE));
    page.navigate(server.laurel().url() + "/boards/arcade" + query);
    page.locator(query.equals("x") ? "[part=message]" : "tbody tr").first().waitFor();
    page.waitForTimeout(1500);
    if (!query.equals("x")) {
      Site.score(server, "arcade", "Rosa", 88_000 + file.toString().length() * 700L);
      page.waitForTimeout(4500);
    }
    page.screenshot(new Page.ScreenshotOptions().setPath(file));
    page.context().close();
  }
}
