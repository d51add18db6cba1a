package dev.laurel.server.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Connections and what is sent on them. Operations of one lane wait for each other's connections,
 * those of different lanes do not.
 *
 * @param open by a schedule, whatever the server does; else as soon as a connection is free
 * @param amounts operations a second in all if it is open, else shares
 */
public record LaneSpec(int connections, boolean open, Map<Operation, Double> amounts) {
  public LaneSpec {
    EnumMap<Operation, Double> sorted = new EnumMap<>(Operation.class);
    sorted.putAll(amounts);
    amounts = Collections.unmodifiableMap(sorted);
  }

  /**
   * Puts the options together.
   *
   * @param mix shares; used for operations that have no rate of their own
   * @param rate empty for as fast as possible, a number for all, or a number for each operation
   * @param connections a number for all, or a number for each operation
   */
  public static List<LaneSpec> of(String mix, String rate, String connections) {
    boolean ratesApart = Amounts.isPerOperation(rate);
    boolean lanesApart = Amounts.isPerOperation(connections);
    Map<Operation, Double> rates =
        ratesApart
            ? Amounts.perOperation("--rate", rate)
            : rate.isEmpty() ? Map.of() : split(mix, Amounts.number("--rate", rate));
    if (lanesApart) {
      return Amounts.perOperation("--connections", connections).entrySet().stream()
          .map(e -> alone(e.getKey(), e.getValue(), rates, ratesApart))
          .toList();
    }
    int all = whole(Amounts.number("--connections", connections));
    return List.of(
        rates.isEmpty()
            ? new LaneSpec(all, false, Amounts.mix("--mix", mix))
            : new LaneSpec(all, true, rates));
  }

  private static LaneSpec alone(
      Operation operation, double connections, Map<Operation, Double> rates, boolean mayBeClosed) {
    Double rate = rates.get(operation);
    if (rate == null && !mayBeClosed && !rates.isEmpty()) {
      throw new IllegalArgumentException(
          "--connections: " + operation.label() + " (expected: operations of --mix)");
    }
    return new LaneSpec(
        whole(connections), rate != null, Map.of(operation, rate == null ? 1 : rate));
  }

  private static Map<Operation, Double> split(String mix, double rate) {
    Map<Operation, Double> shares = Amounts.mix("--mix", mix);
    double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<Operation, Double> rates = new EnumMap<>(Operation.class);
    shares.forEach((operation, share) -> rates.put(operation, rate * share / sum));
    return rates;
  }

  private static int whole(double connections) {
    if (connections != Math.rint(connections) || connections > 65_000) {
      throw new IllegalArgumentException("--connections: " + connections + " (expected: 1..65000)");
    }
    return (int) connections;
  }
}
