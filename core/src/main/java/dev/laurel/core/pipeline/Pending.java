package dev.laurel.core.pipeline;

import dev.laurel.core.model.Board;
import dev.laurel.core.rank.UserDictionary;
import dev.laurel.core.scoring.Scorers;
import dev.laurel.core.store.StoredId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A checked request on its way through a committer, with the parked reply. */
final class Pending {
  Request request;
  List<Validation.Checked> commands;
  final CompletableFuture<Reply> reply = new CompletableFuture<>();
  final StoredId.@Nullable Name key;

  /** The numbers of the commands' users, 0 for somebody unknown; the committer looks them up. */
  final int[] users;

  /** What {@link dev.laurel.core.rank.Users#renames} was before they were looked up. */
  long renames;

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

  /** The store is in another epoch: nothing that was found in the one of before counts. */
  void begin(Board board, Scorers scorers, long now) {
    request = request.on(board);
    List<Validation.Checked> again = new ArrayList<>(commands.size());
    for (Command command : request.commands()) {
      again.add(Validation.check(board, scorers, command, now));
    }
    commands = again;
    Arrays.fill(users, 0);
  }

  /** Its users are to be looked up, when ids had been renamed so often. */
  void forgetUsers(long renamesNow) {
    Arrays.fill(users, 0);
    renames = renamesNow;
  }

  /** Looks up whom nobody has found yet; whether some are still missing. */
  boolean findUsers(UserDictionary dictionary) {
    boolean missing = false;
    for (int i = 0; i < users.length; i++) {
      if (users[i] == 0 && !(commands.get(i) instanceof Validation.Invalid)) {
        users[i] = dictionary.find(request.commands().get(i).userId());
        missing |= users[i] == 0;
      }
    }
    return missing;
  }

  /** What it counts for in a bounded queue. */
  long tenant() {
    return request.board().tenant();
  }

  int weight() {
    return commands.size();
  }
}
