package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Pages;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.Ranking;
import dev.laurel.server.http.BodyStream;
import dev.laurel.server.http.Exchange;
import org.jspecify.annotations.Nullable;

/** A whole season as a file, sent while it is read. */
final class ExportRoutes {
  private final BoardAccess access;
  private final Rankings rankings;
  private final SeasonQuery seasons;

  ExportRoutes(BoardAccess access, Rankings rankings, SeasonQuery seasons) {
    this.access = access;
    this.rankings = rankings;
    this.seasons = seasons;
  }

  void export(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    boolean spreadsheet = exchange.boolQuery("spreadsheet", false);
    ExportRows rows = format(exchange.query("format"), board, spreadsheet);
    Season season = seasons.require(exchange, board);
    Pages pages = rankings.pages(board, season);
    IndexFirst.source(exchange, pages.source());
    BodyStream out = exchange.stream(rows.contentType());
    Ranking.RowSink sink =
        (rank, user, score, reached) -> rows.add(rank, pages.users().id(user), score, reached);
    while (pages.next(sink)) {
      byte[] some = rows.take();
      if (!out.write(some, some.length)) {
        return;
      }
    }
    byte[] rest = rows.take(); // the header, if there were no rows
    if (rest.length == 0 || out.write(rest, rest.length)) {
      out.end();
    }
  }

  private static ExportRows format(@Nullable String format, Board board, boolean spreadsheet) {
    return switch (format) {
      case null -> ExportRows.csv(board.decimals(), spreadsheet);
      case "csv" -> ExportRows.csv(board.decimals(), spreadsheet);
      case "jsonl" -> ExportRows.jsonLines(board);
      default -> throw Rejection.invalid("format", format, "csv | jsonl").asException();
    };
  }
}
