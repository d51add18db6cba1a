package dev.laurel.server.api;

import dev.laurel.core.guard.Trial;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.review.Reviews;
import dev.laurel.core.review.Selection;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a board's guard looks at, what it caught, and what somebody decides about it. */
final class GuardRoutes {
  private static final int MAX_RULES = 24;
  private static final int MAX_DETAILS_BYTES = 4096;

  private final BoardAccess access;
  private final Reviews reviews;

  GuardRoutes(BoardAccess access, Reviews reviews) {
    this.access = access;
    this.reviews = reviews;
  }

  private Board board(Exchange exchange) {
    return access.owned(exchange, exchange.pathParam("UUID"));
  }

  void get(Exchange exchange) {
    Board board = board(exchange);
    exchange.json(guard(board, reviews.rules(board)));
  }

  void put(Exchange exchange) {
    Board board = board(exchange);
    Fields fields = exchange.fields();
    List<GuardRule> rules = rules(fields);
    fields.done();
    BoardRoutes.send(
        exchange,
        reviews.put(
            board,
            rules,
            RequestKey.forConfiguration(exchange),
            guard(board, rules).toByteArray()));
  }

  private static JsonOut guard(Board board, List<GuardRule> rules) {
    JsonOut out = new JsonOut(256);
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("rules").beginArray();
    for (GuardRule rule : rules) {
      out.beginObject();
      rule(out, rule);
      out.endObject();
    }
    return out.endArray().endObject();
  }

  private static void rule(JsonOut out, GuardRule rule) {
    out.name("rule").string(rule.kind().name());
    out.name("threshold").value(rule.threshold());
    out.name("outcome").string(rule.action().name());
  }

  private static List<GuardRule> rules(Fields fields) {
    List<GuardRule> rules = new ArrayList<>();
    for (Fields each : fields.objects("rules", 0, MAX_RULES)) {
      GuardRule.Kind kind = each.choice("rule", GuardRule.Kind.class);
      double threshold = Double.parseDouble(each.number("threshold"));
      GuardRule.Action action = each.choice("outcome", GuardRule.Action.class);
      each.done();
      if (!Double.isFinite(threshold)) {
        throw each.wrong("threshold", threshold, "a number that is not too large");
      }
      rules.add(new GuardRule(kind, threshold, action));
    }
    return rules;
  }

  void list(Exchange exchange) {
    Board board = board(exchange);
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    String before = exchange.query("before");
    JsonOut out = new JsonOut(4096);
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("anomalies").beginArray();
    for (Reviews.Caught caught :
        reviews.list(
            board,
            state(exchange.query("state")),
            before == null ? Long.MAX_VALUE : line("before", before),
            limit)) {
      write(out, caught);
    }
    exchange.json(out.endArray().endObject());
  }

  /**
   * Whoever looks for abuse elsewhere, such as a worker that hears of awards, says what it found.
   */
  void report(Exchange exchange) {
    Board board = board(exchange);
    Fields fields = exchange.fields();
    Selection which = RevertRoutes.one(fields, userId -> reviews.user(board, userId), board);
    String reason = fields.string("reason");
    String details = fields.optionalRawObject("details", MAX_DETAILS_BYTES);
    fields.done();
    JsonOut report = new JsonOut(256);
    report.beginObject();
    RevertRoutes.reason(report, exchange, reason);
    if (details != null) {
      report.name("details").raw(details);
    }
    OnceOnly.Answer answer =
        reviews.report(
            board,
            which,
            report.endObject().toString(),
            RequestKey.forConfiguration(exchange),
            caught -> {
              JsonOut out = new JsonOut(512);
              write(out, caught);
              return out.toByteArray();
            });
    BoardRoutes.send(exchange.status(201), answer);
  }

  private static Anomaly.@Nullable State state(@Nullable String text) {
    if (text == null) {
      return null;
    }
    for (Anomaly.State state : Anomaly.State.values()) {
      if (state.name().equals(text.toUpperCase(Locale.ROOT))) {
        return state;
      }
    }
    throw Rejection.invalid("state", text, "OPEN | RECORDED | APPROVED | REJECTED").asException();
  }

  private static long line(String name, String text) {
    try {
      long line = Long.parseLong(text);
      if (line > 0) {
        return line;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw Rejection.expectation(ErrorCode.VALIDATION_ERROR, name, text, "the number of a line")
        .asException();
  }

  private static void write(JsonOut out, Reviews.Caught caught) {
    Anomaly anomaly = caught.anomaly();
    out.beginObject();
    out.name("line").number(anomaly.line());
    out.name("userId").string(caught.userId());
    write(out, anomaly);
    if (anomaly.reviewedAt() != 0) {
      out.name("reviewedBy").number(anomaly.reviewer());
      out.name("reviewedAt").timestamp(anomaly.reviewedAt());
    }
    out.endObject();
  }

  /** What was odd, and what became of it. */
  static void write(JsonOut out, Anomaly anomaly) {
    out.name("rule").string(anomaly.rule().name());
    out.name("value").value(anomaly.value());
    out.name("threshold").value(anomaly.threshold());
    out.name("outcome").string(anomaly.action().name());
    out.name("state").string(anomaly.state().name());
    out.name("at").timestamp(anomaly.at());
    if (anomaly.report() != null) {
      out.name("report").raw(anomaly.report());
    }
  }

  void approve(Exchange exchange) {
    decide(exchange, true);
  }

  void reject(Exchange exchange) {
    decide(exchange, false);
  }

  private void decide(Exchange exchange, boolean approved) {
    Board board = board(exchange);
    long line = line("line", exchange.pathParam("line"));
    JsonOut out = new JsonOut(96);
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("line").number(line);
    out.name("state").string(approved ? "APPROVED" : "REJECTED");
    byte[] answer = out.endObject().toByteArray();
    byte[] first =
        reviews.decide(
            board,
            line,
            approved,
            exchange.caller().number(),
            RevertRoutes.note(exchange, null),
            RequestKey.forScores(exchange, outcomes -> answer));
    if (first != null) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.json(answer);
  }

  void attempt(Exchange exchange) {
    Board board = board(exchange);
    RequestKey.forConfiguration(exchange);
    Fields fields = exchange.fields();
    List<GuardRule> rules = rules(fields);
    Long from = ScoreFields.time(fields, "from");
    Long to = ScoreFields.time(fields, "to");
    fields.done();
    exchange.onlyReads();
    Trial trial =
        reviews.attempt(
            board, rules, from == null ? Long.MIN_VALUE : from, to == null ? Long.MAX_VALUE : to);
    UserDictionary users = reviews.users(board);
    JsonOut out = new JsonOut(1024);
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("submissions").number(trial.looked());
    out.name("rules").beginArray();
    for (Trial.Caught caught : trial.rules()) {
      out.beginObject();
      rule(out, caught.rule());
      out.name("caught").number(caught.count());
      out.name("examples").beginArray();
      for (Trial.Example example : caught.examples()) {
        out.beginObject();
        out.name("line").number(example.line().line());
        out.name("userId").string(users.id(example.line().user()));
        out.name("score").units(example.line().value(), board.decimals());
        out.name("timestamp").timestamp(example.line().at());
        out.name("value").value(example.value());
        out.endObject();
      }
      out.endArray().endObject();
    }
    exchange.json(out.endArray().endObject());
  }
}
