package dev.laurel.core.lifecycle;

import dev.laurel.core.vital.Failures;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Removes what is past its horizon: everything that grows has a task here, or goes with a season.
 * One task that fails holds up itself alone. For one thread.
 */
public final class CleanUp {
  private final List<Task> tasks;
  private final Consumer<Throwable> onFailure;

  /** Does what is due, and gives way when told to. A turn with nothing to do costs next to none. */
  @FunctionalInterface
  public interface Task {
    void turn(BooleanSupplier stop);
  }

  public CleanUp(List<Task> tasks, Consumer<Throwable> onFailure) {
    this.tasks = List.copyOf(tasks);
    this.onFailure = onFailure;
  }

  public void turn(BooleanSupplier stop) {
    for (Task task : tasks) {
      if (stop.getAsBoolean()) {
        return;
      }
      Failures.survive(() -> task.turn(stop), onFailure);
    }
  }
}
