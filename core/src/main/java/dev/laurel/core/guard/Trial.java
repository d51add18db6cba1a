package dev.laurel.core.guard;

import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.Store;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules tried on lines of the past, each for itself: what they would have caught. Addresses are not
 * in the ledger, so no rule about them catches anything here. One thread.
 */
public final class Trial {
  /** Lines that are shown of each rule. */
  public static final int EXAMPLES = 5;

  /** Users whose history is kept, with their last lines; of the others it is read again. */
  private static final int KEPT = 20_000;

  private final Store store;
  private final Board board;
  private final List<Caught> rules = new ArrayList<>();
  private final Recent<Integer, History> histories = new Recent<>(KEPT);
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

  public Trial(Store store, Board board, List<GuardRule> rules) {
    this.store = store;
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
      History kept = histories.get(line.user());
      if (kept != null) {
        kept.add(line);
      }
      return;
    }
    History history = history(line);
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
    if (line.kind() == LedgerLine.Kind.SCORE) {
      spread.add((double) line.value());
    }
  }

  /** Of a board with many users not all can be held; the first line of a user needs no look. */
  private History history(LedgerLine line) {
    History kept = histories.get(line.user());
    if (kept == null) {
      kept =
          line.previous() == 0
              ? History.empty()
              : store.read(
                  Store.Reading.LONG, tx -> History.before(tx, line.shard(), line.previous()));
      histories.put(line.user(), kept);
    }
    return kept;
  }

  public long looked() {
    return looked;
  }

  public List<Caught> rules() {
    return rules;
  }
}
