package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.GuardRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules tried on lines of the past, each for itself: what they would have caught. Addresses are not
 * in the ledger, so no rule about them catches anything here. One thread.
 */
public final class Trial {
  /** Lines that are shown of each rule. */
  public static final int EXAMPLES = 5;

  private final Board board;
  private final List<Caught> rules = new ArrayList<>();
  private final Map<Integer, History> histories = new HashMap<>();
  private final Spread spread = new Spread();
  private long looked;

  /** What one rule would have caught; the first of it. */
  public static final class Caught {
    private final GuardRule rule;
    private long count;
    private final List<Example> examples = new ArrayList<>();

    private Caught(GuardRule rule) {
      this.rule = rule;
    }

    public GuardRule rule() {
      return rule;
    }

    public long count() {
      return count;
    }

    public List<Example> examples() {
      return examples;
    }
  }

  /** A line, and what the rule measured. */
  public record Example(LedgerLine line, double value) {}

  public Trial(Board board, List<GuardRule> rules) {
    this.board = board;
    rules.forEach(rule -> this.rules.add(new Caught(rule)));
  }

  /**
   * The next line of the board.
   *
   * @param judged whether it is to be judged, or only part of what came before
   */
  public void add(LedgerLine line, boolean judged) {
    if (!line.kind().isSubmission()) {
      return;
    }
    History history = histories.computeIfAbsent(line.user(), u -> History.empty());
    if (judged) {
      looked++;
      double z = spread.zScore((double) line.value(), Watch.BOARD_MINIMUM);
      Features features = history.features(line.mode(), line.value(), line.at(), z, 0);
      for (Caught each : rules) {
        double value = features.of(each.rule.kind(), Watch.unit(board));
        if (value > each.rule.threshold()) {
          each.count++;
          if (each.examples.size() < EXAMPLES) {
            each.examples.add(new Example(line, value));
          }
        }
      }
    }
    history.add(line);
    spread.add((double) line.value());
  }

  public long looked() {
    return looked;
  }

  public List<Caught> rules() {
    return rules;
  }
}
