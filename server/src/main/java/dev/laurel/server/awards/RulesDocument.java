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

/** Rules as document 004 writes them: {@code {"version": 3, "rules": {"watch_video": 25}}}. */
public final class RulesDocument {
  public static final int MAX_BYTES = 65_536;
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
    Fields rules = fields.object("rules");
    Map<String, Integer> points = new HashMap<>();
    for (String action : List.copyOf(rules.names())) {
      requireAction("rules", action);
      points.put(action, rules.requiredInteger(action, 1, AwardRules.MAX_POINTS));
    }
    rules.done();
    Set<String> disabled = new HashSet<>(fields.strings("disabled", MAX_NAMES));
    disabled.forEach(action -> requireAction("disabled", action));
    List<String> boards = fields.strings("boards", MAX_NAMES);
    fields.done();
    return new AwardRules(
        version,
        points,
        disabled,
        boards.isEmpty() ? Set.of(BoardDefinition.GLOBAL.uuid()) : new HashSet<>(boards));
  }

  private static void requireAction(String field, String action) {
    if (!AwardRules.isAction(action)) {
      throw Rejection.invalid(field, action, AwardRules.ACTION_RULE).asException();
    }
  }
}
