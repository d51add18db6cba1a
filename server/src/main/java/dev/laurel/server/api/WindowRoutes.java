package dev.laurel.server.api;

import dev.laurel.core.board.BoardChange;
import dev.laurel.core.board.WindowDefinition;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.Window;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import java.util.ArrayList;
import java.util.List;

/**
 * The windows of a board, one by one: whoever adds one does not have to know the others, and two
 * who do so at once do not undo each other.
 */
final class WindowRoutes {
  private final BoardAccess access;
  private final BoardRoutes boards;

  WindowRoutes(BoardAccess access, BoardRoutes boards) {
    this.access = access;
    this.boards = boards;
  }

  /** Adds it after the others, or replaces it in its place. */
  void put(Exchange exchange) {
    Board known = access.owned(exchange, exchange.pathParam("UUID"));
    String name = exchange.pathParam("window");
    Fields fields = exchange.fields();
    WindowDefinition definition = WindowFields.readOne(fields, name);
    boards.change(
        exchange,
        known,
        board -> {
          List<WindowDefinition> windows = definitions(board);
          int place = place(board, name);
          if (place < 0) {
            windows.add(definition);
          } else {
            windows.set(place, definition);
          }
          return BoardChange.windows(windows);
        });
  }

  /** Its running season ends now, with the prizes it has. */
  void remove(Exchange exchange) {
    Board known = access.owned(exchange, exchange.pathParam("UUID"));
    String name = exchange.pathParam("window");
    WindowDefinition.requireName(name);
    boards.change(
        exchange,
        known,
        board -> {
          List<WindowDefinition> windows = definitions(board);
          int place = place(board, name);
          if (place < 0) {
            throw SeasonQuery.periodNotFound(board, name);
          }
          if (windows.size() == 1) {
            throw Rejection.expectation(
                    ErrorCode.LAST_WINDOW, "window", name, "one of several; a board needs one")
                .asException();
          }
          windows.remove(place);
          return BoardChange.windows(windows);
        });
  }

  private static List<WindowDefinition> definitions(Board board) {
    List<WindowDefinition> definitions = new ArrayList<>();
    for (Window window : board.windows()) {
      definitions.add(WindowDefinition.of(window));
    }
    return definitions;
  }

  private static int place(Board board, String name) {
    return board.windows().stream().map(Window::name).toList().indexOf(name);
  }
}
