package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.model.Window;
import dev.laurel.core.query.Seasons;
import dev.laurel.server.http.Exchange;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which season a request is about: {@code period=daily} chooses the window, {@code
 * season=current|previous|<id>} or {@code at=<time>} the cycle. Without any of them it is the
 * newest of the first window.
 */
final class SeasonQuery {
  private final Seasons seasons;

  SeasonQuery(Seasons seasons) {
    this.seasons = seasons;
  }

  /** The names of the parameters, beside those of the route. */
  static String[] with(String... others) {
    return Stream.concat(Stream.of(others), Stream.of("period", "season", "at"))
        .toArray(String[]::new);
  }

  /** Answers a request about a season. */
  @FunctionalInterface
  interface SeasonHandler {
    void handle(Exchange exchange, Season season) throws Exception;
  }

  /** At once if the board lists the season, else on a thread that may wait. */
  void choose(Exchange exchange, Board board, SeasonHandler handler) {
    Window window = window(exchange, board);
    Seasons.Which which = which(exchange);
    Season listed = seasons.listed(board, window, which);
    if (listed == null) {
      exchange.block(x -> handler.handle(x, seasons.require(board, window, which)));
      return;
    }
    try {
      handler.handle(exchange, listed);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Blocks. */
  Season require(Exchange exchange, Board board) {
    return seasons.require(board, window(exchange, board), which(exchange));
  }

  /** The same of what somebody says in a body. Blocks. */
  Season require(
      Board board, @Nullable String period, @Nullable String season, @Nullable String at) {
    return seasons.require(board, window(board, period), which(season, at));
  }

  static Window window(Exchange exchange, Board board) {
    return window(board, exchange.query("period"));
  }

  private static Window window(Board board, @Nullable String period) {
    if (period == null) {
      return board.windows().getFirst();
    }
    Window window = board.window(period);
    if (window == null) {
      throw periodNotFound(board, period);
    }
    return window;
  }

  static RejectedException periodNotFound(Board board, String period) {
    return Rejection.expectation(
            ErrorCode.PERIOD_NOT_FOUND,
            "period",
            period,
            String.join(" | ", board.windows().stream().map(Window::name).toList()))
        .asException();
  }

  private static Seasons.Which which(Exchange exchange) {
    return which(exchange.query("season"), exchange.query("at"));
  }

  private static Seasons.Which which(@Nullable String season, @Nullable String at) {
    if (season != null && at != null) {
      throw Rejection.invalid("at", "given with season", "only one of them").asException();
    }
    if (at != null) {
      return new Seasons.Which.At(ScoreFields.time("at", at));
    }
    return switch (season) {
      case null -> new Seasons.Which.Current();
      case "current" -> new Seasons.Which.Current();
      case "previous" -> new Seasons.Which.Previous();
      default -> id(season);
    };
  }

  private static Seasons.Which id(String text) {
    Seasons.@Nullable Parsed parsed = Seasons.parse(text);
    if (parsed == null) {
      throw Rejection.invalid("season", text, "current | previous | the id of a season")
          .asException();
    }
    return parsed.which();
  }
}
