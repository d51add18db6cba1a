package dev.laurel.benchmarks.sidebyside;

/** A load that also notes how many requests its servers answered in a CPU second of theirs. */
final class CpuLoad implements Contest.Load {
  final Series byCpu;
  private final Children children;
  private final Contest.Load load;
  private final String[] servers;
  private boolean warm;

  CpuLoad(String name, Children children, Contest.Load load, String... servers) {
    this.byCpu = Series.rate(name + ", a CPU second");
    this.children = children;
    this.load = load;
    this.servers = servers;
  }

  @Override
  public double measure(int seconds) {
    double before = children.cpuSeconds(servers);
    double rate = load.measure(seconds);
    double used = children.cpuSeconds(servers) - before;
    if (warm) {
      byCpu.add(rate * seconds / used);
    }
    warm = true;
    return rate;
  }
}
