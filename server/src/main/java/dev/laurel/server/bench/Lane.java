package dev.laurel.server.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The connections of one lane on one event loop, and what comes next on them. */
final class Lane {
  private final Source source;
  private final int size;
  private final List<Connection> connections = new ArrayList<>();

  /** Those that take one more request. */
  private final ArrayDeque<Connection> free = new ArrayDeque<>();

  Lane(Source source, int size) {
    this.source = source;
    this.size = size;
  }

  Source source() {
    return source;
  }

  /** How many connections it is to have. */
  int size() {
    return size;
  }

  void add(Connection connection) {
    connections.add(connection);
  }

  List<Connection> connections() {
    return connections;
  }

  void free(Connection connection) {
    free.addLast(connection);
  }

  void lost(Connection connection) {
    free.removeIf(c -> c == connection);
  }

  boolean hasFree() {
    return !free.isEmpty();
  }

  boolean isWaiting() {
    for (Connection connection : connections) {
      if (connection.underWay() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Sends what can be sent. */
  void pump(long now) {
    while (!free.isEmpty()) {
      Operation operation = source.next(now);
      if (operation == null) {
        return;
      }
      Connection connection = free.removeFirst();
      connection.send(operation, source.begunAt());
      if (connection.hasRoom()) {
        free.addLast(connection);
      }
    }
  }
}
