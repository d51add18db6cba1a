package dev.laurel.server.page;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The machine's own Chromium, driven by Playwright. One thread at a time. */
final class Browser implements AutoCloseable {
  private static final List<String> FLAGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final Playwright playwright;
  private final com.microsoft.playwright.Browser chromium;
  private final List<String> complaints = new ArrayList<>();

  Browser() {
    Map<String, String> environment =
        Map.of(
            "PLAYWRIGHT_NODEJS_PATH",
            Tools.node().toString(),
            "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
            "1");
    PlaywrightAssertions.setDefaultAssertionTimeout(120_000);
    playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
    chromium =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions().setExecutablePath(Tools.chromium()).setArgs(FLAGS));
  }

  /** A page of its own: nothing is shared with the others, as if it were another browser. */
  Page open(com.microsoft.playwright.Browser.NewContextOptions options) {
    BrowserContext context = chromium.newContext(options);
    context.setDefaultTimeout(120_000);
    Page page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          // A refused or broken connection is a matter of the test, all else is one of the page.
          if (message.type().equals("error") && !message.text().contains("Failed to load")) {
            complaints.add(message.text());
          }
        });
    return page;
  }

  /** With a size, and without motion where a test is not about it. */
  static com.microsoft.playwright.Browser.NewContextOptions calm(int width, int height) {
    return new com.microsoft.playwright.Browser.NewContextOptions()
        .setLocale("en-GB")
        .setViewportSize(width, height)
        .setReducedMotion(ReducedMotion.REDUCE);
  }

  /** What pages complained of since the last look. */
  List<String> complaints() {
    List<String> all = List.copyOf(complaints);
    complaints.clear();
    return all;
  }

  @Override
  public void close() {
    chromium.close();
    playwright.close();
  }
}
