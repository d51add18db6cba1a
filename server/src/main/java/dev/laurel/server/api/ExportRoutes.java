package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Pages;
import dev.laurel.core.query.Rankings;
import dev.laurel.server.http.BodyStream;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.limits.Shares;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A whole season as a file, sent while it is read. */
final class ExportRoutes {
  private final BoardAccess access;
  private final Rankings rankings;
  private final SeasonQuery seasons;

  /** Each holds a thread and a view of the ranks for as long as its caller reads. */
  private final Shares shares = new Shares(64, 8);

  /** Each holds a whole season in memory meanwhile, beside the index. */
  private final Shares copies = new Shares(4, 2);

  ExportRoutes(BoardAccess access, Rankings rankings, SeasonQuery seasons) {
    this.access = access;
    this.rankings = rankings;
    this.seasons = seasons;
  }

  void export(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    shares.enter(board.tenant());
    try {
      export(exchange, board);
    } finally {
      shares.leave(board.tenant());
    }
  }

  private void export(Exchange exchange, Board board) {
    boolean spreadsheet = exchange.boolQuery("spreadsheet", true);
    ExportRows rows = format(exchange.query("format"), board, spreadsheet);
    Season season = seasons.require(exchange, board);
    boolean copy = rankings.copies(board, season);
    if (copy) {
      copies.enter(board.tenant());
    }
    try {
      send(exchange, board, season, rows);
    } finally {
      if (copy) {
        copies.leave(board.tenant());
      }
    }
  }

  private void send(Exchange exchange, Board board, Season season, ExportRows rows) {
    Pages pages = rankings.pages(board, season);
    IndexFirst.source(exchange, pages.source());
    BodyStream out = exchange.stream(rows.contentType());
    for (List<Pages.Row> page = pages.next(); !page.isEmpty(); page = pages.next()) {
      page.forEach(rows::add);
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
