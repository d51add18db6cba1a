package dev.laurel.core.guard;

/** The users that came from one address in the last hour, up to a bound. One thread. */
final class AddressUsers {
  private static final long HOUR = 3_600_000;

  private final Recent<Who, Long> users = new Recent<>(1000);

  private record Who(long board, int user) {}

  AddressUsers copy() {
    AddressUsers copy = new AddressUsers();
    copy.users.putAll(users);
    return copy;
  }

  /** How many they are of the board, with this one. */
  int seen(long board, int user, long at) {
    users.values().removeIf(time -> time < at - HOUR);
    users.merge(new Who(board, user), at, Math::max);
    return (int) users.keySet().stream().filter(who -> who.board == board).count();
  }
}
