package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.rank.NotFetchedException;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Handler;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the answer to a question about a ranking comes from: the index, on the event loop; else
 * what holds the season, on a thread that may wait. A question may be asked more than once.
 */
final class IndexFirst {
  private IndexFirst() {}

  /**
   * From the index at once, else from the store on a thread that may wait, marked as such.
   *
   * @param about whose rows the question is about
   */
  static void answer(
      Exchange exchange,
      Rankings rankings,
      Board board,
      Season season,
      List<String> about,
      Function<Rankings.View, JsonOut> question) {
    fromIndex(
        exchange,
        rankings,
        board,
        season,
        about,
        question,
        Exchange::json,
        x -> {
          Rankings.Answer<JsonOut> answer = rankings.answer(board, season, about, question);
          source(x, answer.source()).json(answer.value());
        });
  }

  /**
   * What the index answers goes on at once, or when it comes; what it does not is left to a thread
   * that may wait.
   */
  static <T> void fromIndex(
      Exchange exchange,
      Rankings rankings,
      Board board,
      Season season,
      List<String> about,
      Function<Rankings.View, T> question,
      BiConsumer<Exchange, T> then,
      Handler otherwise) {
    Rankings.View view = rankings.inMemory(board, season, about);
    if (view == null) {
      exchange.block(otherwise);
      return;
    }
    T answer;
    try {
      answer = question.apply(view);
    } catch (NotFetchedException e) {
      exchange.later(
          x -> whenFetched(x, rankings.fetched(board, season, e, question), then, otherwise));
      return;
    }
    rankings.answered(view);
    then.accept(exchange, answer);
  }

  private static <T> void whenFetched(
      Exchange exchange,
      CompletableFuture<@Nullable T> answer,
      BiConsumer<Exchange, T> then,
      Handler otherwise) {
    answer
        .thenAccept(
            value -> {
              if (value == null) {
                exchange.block(otherwise);
              } else {
                then.accept(exchange, value);
              }
            })
        .exceptionally(
            e -> {
              Throwable cause = e.getCause();
              exchange.fail(cause == null ? e : cause);
              return null;
            });
  }

  /** Says where an answer comes from, unless it is the index. */
  static Exchange source(Exchange exchange, Rankings.Source source) {
    return switch (source) {
      case INDEX -> exchange;
      case SQL -> exchange.header("Laurel-Source", "sql");
      case FINAL -> exchange.header("Laurel-Source", "final");
      case ARCHIVE -> exchange.header("Laurel-Source", "archive");
    };
  }
}
