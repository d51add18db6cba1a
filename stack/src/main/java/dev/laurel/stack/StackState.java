package dev.laurel.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What runs, as a file tells it: one line for each process, one for each variable of the
 * environment.
 */
record StackState(Member supervisor, List<Member> members, Map<String, String> environment) {
  StackState {
    members = List.copyOf(members);
    environment = new TreeMap<>(environment);
  }

  /**
   * A process. Numbers of processes are used again, so its start tells whether it is still the one.
   *
   * @param started in epoch milliseconds
   * @param port 0 if it has none
   */
  record Member(String name, long pid, long started, int port) {
    static Member of(String name, long pid, int port) {
      return new Member(name, pid, ProcessHandle.of(pid).map(Member::started).orElse(0L), port);
    }

    private static long started(ProcessHandle process) {
      return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Null if it has ended. */
    @Nullable ProcessHandle process() {
      return ProcessHandle.of(pid)
          .filter(process -> process.isAlive() && started(process) == started)
          .orElse(null);
    }

    boolean isAlive() {
      return process() != null;
    }

    @Override
    public String toString() {
      return port == 0
          ? "%s (process %d)".formatted(name, pid)
          : "%s (process %d, port %d)".formatted(name, pid, port);
    }
  }

  List<Member> dead() {
    return members.stream().filter(member -> !member.isAlive()).toList();
  }

  /** As a whole or not at all: whoever waits for the file reads it at once. */
  void write(Path file) {
    StringBuilder text = new StringBuilder();
    for (Member member : all()) {
      text.append(
          "process %s %d %d %d\n".formatted(member.name, member.pid, member.started, member.port));
    }
    environment.forEach((name, value) -> text.append("set %s %s\n".formatted(name, value)));
    try {
      Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Member> all() {
    List<Member> all = new ArrayList<>(members);
    all.addFirst(supervisor);
    return all;
  }

  /** Null if there is no such file. */
  static @Nullable StackState read(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    List<Member> members = new ArrayList<>();
    Map<String, String> environment = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ");
        if (words[0].equals("process")) {
          members.add(
              new Member(
                  words[1],
                  Long.parseLong(words[2]),
                  Long.parseLong(words[3]),
                  Integer.parseInt(words[4])));
        } else {
          environment.put(words[1], words[2]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new StackState(members.removeFirst(), members, environment);
  }
}
