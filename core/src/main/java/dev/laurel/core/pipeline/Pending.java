package dev.laurel.core.pipeline;

import dev.laurel.core.store.StoredId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A checked request on its way through a committer, with the parked reply. */
final class Pending {
  final Request request;
  List<Validation.Checked> commands;
  final CompletableFuture<Reply> reply = new CompletableFuture<>();
  final StoredId.@Nullable Name key;

  /** The numbers of the commands' users, 0 for somebody unknown; the committer looks them up. */
  final int[] users;

  /** What it takes in memory until it is answered. */
  final long bytes;

  Pending(Request request, List<Validation.Checked> commands, StoredId.@Nullable Name key) {
    this.request = request;
    this.commands = commands;
    this.key = key;
    this.users = new int[commands.size()];
    long sum = 0;
    for (Command command : request.commands()) {
      sum += command.bytes();
    }
    this.bytes = sum;
  }

  /** What it counts for in a bounded queue. */
  int weight() {
    return commands.size();
  }
}
