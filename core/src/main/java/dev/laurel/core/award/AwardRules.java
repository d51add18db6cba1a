package dev.laurel.core.award;

import java.util.Map;
import java.util.Set;

/**
 * What each action is worth.
 *
 * @param version grows with every change
 * @param points by action; 0 of one that is disabled
 * @param disabled actions that are known and give nothing for now
 * @param boards where points may go; a user chooses among them
 * @param limits how often a user is given points for an action in a day, by action
 * @param receipts actions that need a receipt of the tenant's own server
 * @param receiptKey the oldest version of the key that receipts are signed with
 */
public record AwardRules(
    long version,
    Map<String, Integer> points,
    Set<String> disabled,
    Set<String> boards,
    Map<String, Integer> limits,
    Set<String> receipts,
    int receiptKey) {

  /** How often in a day where the rules say nothing: users report their actions themselves. */
  public static final int DEFAULT_LIMIT = 100;

  public static final int MAX_LIMIT = 1_000_000;

  public static final int MAX_POINTS = 1_000_000_000;
  public static final String ACTION_RULE = "1..64 of letters, digits and _ - . :";

  public AwardRules {
    points = Map.copyOf(points);
    disabled = Set.copyOf(disabled);
    boards = Set.copyOf(boards);
    limits = Map.copyOf(limits);
    receipts = Set.copyOf(receipts);
  }

  /** How often a user is given points for it in a day. */
  public int limit(String action) {
    return limits.getOrDefault(action, DEFAULT_LIMIT);
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
