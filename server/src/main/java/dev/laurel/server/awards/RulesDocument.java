package dev.laurel.server.awards;

import dev.laurel.core.award.AwardRules;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules in JSON: {@code {"version": 3, "rules": {"watch_video": 25}}}. */
public final class RulesDocument {
  public static final int MAX_BYTES = 65_536;
  public static final int MAX_RECEIPT_KEY = 1_000_000;
  private static final int MAX_NAMES = 1000;

  private RulesDocument() {}

  /**
   * @throws dev.laurel.core.model.RejectedException if it is something else
   */
  public static AwardRules read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw Rejection.invalid("rules", bytes.length + " bytes", "at most " + MAX_BYTES)
          .asException();
    }
    Fields fields = Json.object(bytes);
    int version = fields.requiredInteger("version", 1, Integer.MAX_VALUE);
    Map<String, Integer> points =
        numbers("rules", fields.object("rules"), 0, AwardRules.MAX_POINTS);
    Set<String> disabled = new HashSet<>(fields.strings("disabled", MAX_NAMES));
    disabled.forEach(action -> requireAction("disabled", action));
    points.forEach(
        (action, worth) -> {
          if (worth == 0) {
            disabled.add(action);
          }
        });
    List<String> boards = fields.strings("boards", MAX_NAMES);
    Map<String, Integer> limits =
        fields.has("limits")
            ? numbers("limits", fields.object("limits"), 1, AwardRules.MAX_LIMIT)
            : Map.of();
    Set<String> receipts = new HashSet<>(fields.strings("receipts", MAX_NAMES));
    receipts.forEach(action -> requireAction("receipts", action));
    int receiptKey =
        fields.has("receiptKeyVersion")
            ? fields.requiredInteger("receiptKeyVersion", 1, MAX_RECEIPT_KEY)
            : 1;
    fields.done();
    return new AwardRules(
        version,
        points,
        disabled,
        boards.isEmpty() ? Set.of(BoardDefinition.GLOBAL.uuid()) : new HashSet<>(boards),
        limits,
        receipts,
        receiptKey);
  }

  /** By action. */
  private static Map<String, Integer> numbers(String field, Fields of, int least, int most) {
    Map<String, Integer> numbers = new HashMap<>();
    for (String action : List.copyOf(of.names())) {
      requireAction(field, action);
      numbers.put(action, of.requiredInteger(action, least, most));
    }
    of.done();
    return numbers;
  }

  private static void requireAction(String field, String action) {
    if (!AwardRules.isAction(action)) {
      throw Rejection.invalid(field, action, AwardRules.ACTION_RULE).asException();
    }
  }
}
