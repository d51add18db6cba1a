package dev.laurel.core.board;

/** What others may want to hear about a season. The names are part of webhooks. */
public enum SeasonEvent {
  SEASON_STARTED("season.started"),
  SEASON_CLOSING_SOON("season.closing_soon"),
  SEASON_COMPLETED("season.completed"),
  /** It was over, and an edit has moved its end. */
  SEASON_REOPENED("season.reopened"),
  PRIZES_READY("prizes.ready");

  private final String text;

  SeasonEvent(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
