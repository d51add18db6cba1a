package dev.laurel.core.award;

import java.util.Map;
import java.util.Set;

/**
 * What each action is worth.
 *
 * @param version grows with every change
 * @param points by action, each at least 1
 * @param disabled actions that are known and give nothing for now
 * @param boards where points may go; a user chooses among them
 */
public record AwardRules(
    long version, Map<String, Integer> points, Set<String> disabled, Set<String> boards) {

  public static final int MAX_POINTS = 1_000_000_000;
  public static final String ACTION_RULE = "1..64 of letters, digits and _ - . :";

  public AwardRules {
    points = Map.copyOf(points);
    disabled = Set.copyOf(disabled);
    boards = Set.copyOf(boards);
  }

  public static boolean isAction(String text) {
    return !text.isEmpty()
        && text.length() <= 64
        && text.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || "_-.:".indexOf(c) >= 0);
  }
}
