package dev.laurel.server.api;

import dev.laurel.core.award.AwardRules;
import dev.laurel.core.award.Awards;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.StoredRules;
import dev.laurel.server.awards.RulesDocument;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeMap;

/** What actions are worth in the caller's tenant, and the switches that stop it. */
final class AwardRuleRoutes {
  private static final String SIGNATURE = "Laurel-Rules-Signature";

  private final Awards awards;
  private final Boards boards;

  AwardRuleRoutes(Awards awards, Boards boards) {
    this.awards = awards;
    this.boards = boards;
  }

  /** The body is the document itself, so that what is signed is what was sent. */
  void put(Exchange exchange) {
    OnceOnly.Answer answer =
        awards.put(
            exchange.caller().tenant(),
            new String(exchange.body(), StandardCharsets.UTF_8),
            exchange.header(SIGNATURE),
            exchange.caller().name(),
            RequestKey.forConfiguration(exchange),
            now -> write(now).toByteArray());
    // So that it can be read before the first award.
    boards.global(exchange.caller().tenant(), exchange.caller().name());
    BoardRoutes.send(exchange, answer);
  }

  void get(Exchange exchange) {
    Awards.OfTenant now = awards.of(exchange.caller().tenant());
    if (now.rules() == null) {
      throw Rejection.of(
              ErrorCode.RULES_NOT_FOUND, "award rules: none (expected: PUT /api/v1/award-rules)")
          .asException();
    }
    exchange.json(write(now));
  }

  /** Shown as often as somebody asks who may change the rules: it is the tenant's own. */
  void receiptKey(Exchange exchange) {
    AwardRules rules = awards.of(exchange.caller().tenant()).rules();
    int version =
        exchange.intQuery(
            "version", rules == null ? 1 : rules.receiptKey(), 1, RulesDocument.MAX_RECEIPT_KEY);
    JsonOut out = new JsonOut(160).beginObject();
    out.name("version").number(version);
    out.name("key").string(awards.receiptKey(exchange.caller().tenant(), version));
    exchange.json(out.endObject());
  }

  private JsonOut write(Awards.OfTenant now) {
    AwardRules rules = now.rules();
    StoredRules stored = now.stored();
    if (rules == null || stored == null) {
      throw new IllegalStateException("no rules");
    }
    JsonOut out = new JsonOut(512);
    out.beginObject();
    out.name("version").number(rules.version());
    out.name("rules").beginObject();
    new TreeMap<>(rules.points()).forEach((action, points) -> out.name(action).number(points));
    out.endObject();
    out.name("disabled").value(rules.disabled().stream().sorted().toList());
    out.name("boards").value(rules.boards().stream().sorted().toList());
    out.name("limits").beginObject();
    new TreeMap<>(rules.points())
        .keySet()
        .forEach(action -> out.name(action).number(rules.limit(action)));
    out.endObject();
    out.name("receipts").value(rules.receipts().stream().sorted().toList());
    out.name("receiptKeyVersion").number(rules.receiptKey());
    out.name("signed").bool(stored.signature() != null);
    out.name("createdAt").timestamp(stored.createdAt());
    out.name("createdBy").string(stored.createdBy());
    switches(out, now.off());
    return out.endObject();
  }

  void change(Exchange exchange) {
    Fields fields = exchange.fields();
    String action = fields.optionalString("action");
    if (!fields.has("enabled")) {
      throw Rejection.invalid("enabled", "missing", "true or false").asException();
    }
    boolean on = fields.bool("enabled", true);
    fields.done();
    if (action != null && !AwardRules.isAction(action)) {
      throw Rejection.invalid("action", action, AwardRules.ACTION_RULE).asException();
    }
    OnceOnly.Answer answer =
        awards.change(
            exchange.caller().tenant(),
            action == null ? "" : action,
            on,
            RequestKey.forConfiguration(exchange),
            off -> switches(off).toByteArray());
    BoardRoutes.send(exchange, answer);
  }

  void getSwitch(Exchange exchange) {
    exchange.json(switches(awards.of(exchange.caller().tenant()).off()));
  }

  private JsonOut switches(Set<String> off) {
    JsonOut out = new JsonOut(128);
    out.beginObject();
    switches(out, off);
    return out.endObject();
  }

  /**
   * As awards find it at this node: what somebody has switched on may be off for another reason.
   */
  private void switches(JsonOut out, Set<String> off) {
    Set<Awards.Stop> stops = awards.stopped(off);
    out.name("enabled").bool(stops.isEmpty());
    out.name("stoppedBy").value(stops.stream().map(Awards.Stop::name).toList());
    out.name("switchedOff").value(off.stream().filter(a -> !a.isEmpty()).sorted().toList());
  }
}
