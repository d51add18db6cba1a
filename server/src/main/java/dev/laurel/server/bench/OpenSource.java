package dev.laurel.server.bench;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** By schedule, however the server fares: what users do who do not know of each other. */
final class OpenSource implements Source {
  private final Operation[] operations;
  private final Schedule[] schedules;
  private Window window = new Window(0, 0, 0, 0);
  private boolean warmingUp;
  private long begunAt;

  /**
   * @param share of all the operations that are this source's
   */
  OpenSource(Map<Operation, Double> perSecond, double share) {
    this.operations = perSecond.keySet().toArray(Operation[]::new);
    this.schedules =
        perSecond.values().stream().map(r -> new Schedule(r * share)).toArray(Schedule[]::new);
  }

  @Override
  public void begin(Window newWindow) {
    window = newWindow;
    warmingUp = newWindow.from() != newWindow.begin();
    for (Schedule schedule : schedules) {
      schedule.begin(newWindow.begin());
    }
  }

  @Override
  public @Nullable Operation next(long now) {
    if (warmingUp && now - window.from() >= 0) {
      endWarmup();
    }
    int first = first();
    long due = schedules[first].due();
    if (due - now > 0 || window.isOver(due)) {
      return null;
    }
    begunAt = due;
    schedules[first].take();
    return operations[first];
  }

  /** What a cold server left undone is dropped: it would be measured as if it were slow. */
  private void endWarmup() {
    warmingUp = false;
    for (Schedule schedule : schedules) {
      schedule.begin(window.from());
    }
  }

  /** Whoever has waited longest. */
  private int first() {
    int first = 0;
    for (int i = 1; i < schedules.length; i++) {
      if (schedules[i].due() - schedules[first].due() < 0) {
        first = i;
      }
    }
    return first;
  }

  @Override
  public long begunAt() {
    return begunAt;
  }

  @Override
  public long untilNext(long now) {
    long due = schedules[first()].due();
    return window.isOver(due) ? NEVER : Math.max(0, due - now);
  }

  /** Also those answered late: they were due. */
  @Override
  public boolean counts(Window run, long begun, long ended) {
    return run.counts(begun);
  }
}
