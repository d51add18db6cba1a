package dev.laurel.core.pipeline;

import dev.laurel.core.guard.Watch;
import dev.laurel.core.guard.WatchedBatch;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.GuardRule;
import dev.laurel.core.store.WriteTransaction;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the guards of boards catch in one batch. Belongs to the batch's thread. */
final class BatchGuard {
  private final WatchedBatch watched;
  private final long now;
  private final List<Anomaly> anomalies = new ArrayList<>();

  BatchGuard(WatchedBatch watched, long now) {
    this.watched = watched;
    this.now = now;
  }

  boolean isWatching(Board board) {
    return watched.isGuarded(board);
  }

  /** Null if nothing is odd. */
  Watch.@Nullable Verdict judge(
      Board board, Validation.Valid valid, int user, long previous, long at, long address) {
    return watched.judge(board, user, previous, valid.mode(), valid.value(), at, address);
  }

  /** A line of a guarded board that is going to be stored. */
  void taken(Board board, LedgerLine line, Watch.@Nullable Verdict verdict) {
    watched.add(board, line);
    if (verdict != null) {
      GuardRule rule = verdict.rule();
      boolean open = rule.action() != GuardRule.Action.RECORD;
      anomalies.add(
          new Anomaly(
              board.id(),
              line.line(),
              line.user(),
              rule.kind(),
              verdict.value(),
              rule.threshold(),
              rule.action(),
              open ? Anomaly.State.OPEN : Anomaly.State.RECORDED,
              now,
              0,
              0,
              null));
    }
  }

  static Rejection refusal(Watch.Verdict verdict) {
    GuardRule rule = verdict.rule();
    return Rejection.of(
        ErrorCode.ANOMALY_REFUSED,
        "%s: %s (expected: at most %s)"
            .formatted(rule.kind(), shown(verdict.value()), shown(rule.threshold())),
        Map.of("rule", rule.kind().name()));
  }

  private static String shown(double number) {
    return BigDecimal.valueOf(number)
        .setScale(2, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  void write(WriteTransaction transaction) {
    transaction.putAnomalies(anomalies);
  }

  /** After the commit. */
  void keep() {
    watched.keep();
  }
}
