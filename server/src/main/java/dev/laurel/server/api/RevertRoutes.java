package dev.laurel.server.api;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.model.UserIds;
import dev.laurel.core.model.Window;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.rank.Ranking;
import dev.laurel.core.review.Reverts;
import dev.laurel.core.review.Selection;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Submissions are undone: one, the last of a user, or all of a source in a time span. */
final class RevertRoutes {
  private static final int MAX_REASON = 500;

  private final BoardAccess access;
  private final Reverts reverts;
  private final Pods pods;

  RevertRoutes(BoardAccess access, Reverts reverts, Pods pods) {
    this.access = access;
    this.reverts = reverts;
    this.pods = pods;
  }

  void revert(Exchange exchange) {
    Board board = access.owned(exchange, exchange.pathParam("UUID"));
    RequestKey.of(exchange); // a wrong one is refused before anything is done
    Fields fields = exchange.fields();
    boolean dryRun = fields.bool("dryRun", false);
    String note = note(exchange, fields.optionalString("reason"));
    Selection selection = selection(board, fields);
    fields.done();
    if (dryRun) {
      exchange.onlyReads();
    }
    Reverts.Plan plan = reverts.plan(board, selection, note);
    if (dryRun) {
      exchange.json(answer(board, plan, true));
      return;
    }
    OnceOnly.Answer answer =
        reverts.apply(
            board,
            plan,
            exchange.caller().number(),
            encoder -> RequestKey.forScores(exchange, encoder),
            done -> answer(board, done, false).toByteArray());
    if (answer.replayed()) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.json(answer.body());
  }

  /** Who and why, for whoever reads the ledger. */
  static String note(Exchange exchange, @Nullable String reason) {
    JsonOut out = new JsonOut(128);
    out.beginObject();
    reason(out, exchange, reason);
    return out.endObject().toString();
  }

  static void reason(JsonOut out, Exchange exchange, @Nullable String reason) {
    if (reason != null
        && (reason.isBlank() || reason.codePointCount(0, reason.length()) > MAX_REASON)) {
      throw Rejection.invalid(
              "reason",
              reason.length() + " characters",
              "1.." + MAX_REASON + " characters, not only spaces")
          .asException();
    }
    out.name("by").string(exchange.caller().name());
    if (reason != null) {
      out.name("reason").string(reason);
    }
  }

  /**
   * One submission: by its line, by its award, or the last one of a user.
   *
   * @param users the number of a user, 0 for somebody unknown
   */
  static Selection one(Fields fields, ToIntFunction<String> users, Board board) {
    int given = 0;
    for (String name : new String[] {"line", "awardId", "userId"}) {
      given += fields.has(name) ? 1 : 0;
    }
    if (given != 1) {
      throw fields.wrong("line", given + " submissions", "one of line, awardId, userId");
    }
    return fields.has("userId") ? last(fields, users, board, 1) : byItself(fields);
  }

  private static Selection byItself(Fields fields) {
    if (fields.has("line")) {
      return new Selection.Line(whole(fields, "line", 1));
    }
    String id = fields.string("awardId");
    if (!id.matches("[0-9a-f-]{36}")) {
      throw fields.wrong("awardId", id, "a UUID in lower case");
    }
    return new Selection.Award(id);
  }

  private static Selection last(
      Fields fields, ToIntFunction<String> users, Board board, int count) {
    String userId = fields.string("userId");
    if (!UserIds.isValid(userId)) {
      throw fields.wrong("userId", userId, UserIds.EXPECTED);
    }
    int user = users.applyAsInt(userId);
    if (user == 0) {
      throw BoardAccess.userNotFound("userId", userId, "board " + board.uuid()).asException();
    }
    return new Selection.Last(userId, user, count);
  }

  private Selection selection(Board board, Fields fields) {
    int given = 0;
    for (String name : new String[] {"line", "awardId", "userId", "source"}) {
      given += fields.has(name) ? 1 : 0;
    }
    if (given != 1) {
      throw fields.wrong("line", given + " selections", "one of line, awardId, userId, source");
    }
    ToIntFunction<String> users = userId -> reverts.user(board, userId);
    if (fields.has("userId")) {
      return last(fields, users, board, fields.requiredInteger("last", 1, Selection.MAX_LINES));
    }
    if (!fields.has("source")) {
      return byItself(fields);
    }
    Fields source = fields.object("source");
    Set<Long> callers = callers(board, source);
    String prefix = source.optionalString("eventIdPrefix");
    Long from = ScoreFields.time(source, "from");
    Long to = ScoreFields.time(source, "to");
    source.done();
    if (from == null || to == null || from >= to) {
      throw source.wrong("from", "no time before to", "from and to, two times");
    }
    if (callers == null && prefix == null) {
      throw source.wrong("keyId", "missing", "keyId, podId, topic, issuer or eventIdPrefix");
    }
    return new Selection.Source(callers, prefix, from, to);
  }

  /** Who sent it; null if that is not said. */
  private @Nullable Set<Long> callers(Board board, Fields source) {
    List<String> given =
        Stream.of("keyId", "podId", "topic", "issuer").filter(source::has).toList();
    if (given.size() > 1) {
      throw source.wrong(given.get(1), "beside " + given.getFirst(), "one of the two");
    }
    return given.isEmpty()
        ? null
        : switch (given.getFirst()) {
          case "keyId" -> Set.of(whole(source, "keyId", 0));
          case "podId" -> {
            String podId = pods.require(board.tenant(), source.string("podId")).podId();
            yield Set.of(Callers.ofTopic(Pods.topic(podId)));
          }
          // These may be gone: what came from them is not.
          case "topic" -> Set.of(Callers.ofTopic(name(source, "topic")));
          default -> {
            String issuer = name(source, "issuer");
            yield Set.of(Callers.ofIssuer(issuer), Callers.ofAwards(issuer));
          }
        };
  }

  private static String name(Fields source, String field) {
    String name = source.string(field);
    if (name.isBlank()) {
      throw source.wrong(field, "blank", "a name");
    }
    return name;
  }

  static long whole(Fields fields, String name, long min) {
    String text = fields.number(name);
    try {
      long value = Long.parseLong(text);
      if (value >= min) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw Rejection.expectation(
            ErrorCode.VALIDATION_ERROR, name, text, "a whole number from " + min + " on")
        .asException();
  }

  private static JsonOut answer(Board board, Reverts.Plan plan, boolean dryRun) {
    JsonOut out = new JsonOut(256 + 192 * plan.effects().size());
    out.beginObject();
    out.name("UUID").string(board.uuid());
    out.name("dryRun").bool(dryRun);
    out.name("submissions").number(plan.submissions());
    out.name("lines").number(plan.lines());
    out.name("changed").number(plan.changed().size());
    out.name("changes").beginArray();
    for (Reverts.Effect effect : plan.effects()) {
      out.beginObject();
      out.name("userId").string(effect.userId());
      out.name("instanceId").string(board.idOf(effect.season()));
      Window window = board.window(effect.season().window());
      if (window != null) {
        out.name("period").string(window.name());
      }
      row(out, "before", board, effect.before());
      row(out, "after", board, effect.after());
      out.endObject();
    }
    return out.endArray().endObject();
  }

  private static void row(JsonOut out, String name, Board board, Ranking.@Nullable Row row) {
    if (row != null) {
      out.name(name).beginObject();
      out.name("score").units(row.score(), board.decimals());
      Answers.rank(out, row.rank());
      out.endObject();
    }
  }
}
