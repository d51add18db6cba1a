package dev.laurel.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Keeps connections well below the file-descriptor limit: out of descriptors, a server can neither
 * accept nor open its own files, and one whose acceptor fails there may never listen again. And
 * keeps one address from taking all of them. Thread-safe.
 *
 * <p>Beyond the cap there are a few places for those who only ask how the server is: an
 * orchestrator that cannot ask would end a server that is merely busy.
 */
public final class ConnectionCap {
  /** A connection that sends a head and nothing more can hold about so much. */
  private static final long HEAP_PER_CONNECTION = 32_768;

  private static final int ADDRESS_SHARE = 4;
  private static final int LEAST_PER_ADDRESS = 16;
  private static final int PROBES = 32;
  private static final int PROBES_PER_ADDRESS = 4;

  private final int limit;
  private final int perAddress;
  private final boolean loopbackCounts;
  private final Predicate<InetAddress> speaksForOthers;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger probes = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();
  private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<InetAddress, Integer> probesByAddress = new ConcurrentHashMap<>();

  /** What a new connection may do. */
  enum Place {
    /** Everything. */
    ORDINARY,
    /** Ask how the server is, soon, and go. */
    PROBE,
    /** Nothing: it must be closed. */
    NONE
  }

  /**
   * @param perAddress 0 for a share of the limit, and none for this machine's own address
   * @param speaksForOthers tells a proxy, whose address is that of many
   */
  public ConnectionCap(int limit, int perAddress, Predicate<InetAddress> speaksForOthers) {
    this.limit = limit;
    this.perAddress =
        perAddress == 0 ? Math.max(LEAST_PER_ADDRESS, limit / ADDRESS_SHARE) : perAddress;
    this.loopbackCounts = perAddress != 0;
    this.speaksForOthers = speaksForOthers;
  }

  /** A limit for this process, from what the system allows it and from its heap. */
  public static int limitOfProcess() {
    int byDescriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? limitFor(unix.getMaxFileDescriptorCount())
            : 10_000;
    return (int) Math.min(byDescriptors, Runtime.getRuntime().maxMemory() / HEAP_PER_CONNECTION);
  }

  /** The database, logs, and connections that are being refused need descriptors too. */
  static int limitFor(long descriptors) {
    if (descriptors <= 1024) {
      return (int) Math.max(8, descriptors / 4);
    }
    return (int) Math.min(1_000_000, Math.min(descriptors - 512, descriptors * 4 / 5));
  }

  /** {@link #leave} is due after anything but {@link Place#NONE}. */
  Place enter(InetAddress peer) {
    InetAddress address = network(peer);
    if (open.incrementAndGet() <= limit && take(byAddress, address, mostOf(peer))) {
      return Place.ORDINARY;
    }
    open.decrementAndGet();
    refused.incrementAndGet();
    if (probes.incrementAndGet() <= PROBES && take(probesByAddress, address, PROBES_PER_ADDRESS)) {
      return Place.PROBE;
    }
    probes.decrementAndGet();
    return Place.NONE;
  }

  void leave(InetAddress peer, Place place) {
    InetAddress address = network(peer);
    switch (place) {
      case ORDINARY -> {
        open.decrementAndGet();
        give(byAddress, address);
      }
      case PROBE -> {
        probes.decrementAndGet();
        give(probesByAddress, address);
      }
      case NONE -> {}
    }
  }

  private int mostOf(InetAddress peer) {
    return (peer.isLoopbackAddress() && !loopbackCounts) || speaksForOthers.test(peer)
        ? Integer.MAX_VALUE
        : perAddress;
  }

  private static boolean take(
      ConcurrentHashMap<InetAddress, Integer> counts, InetAddress address, int most) {
    if (counts.merge(address, 1, Integer::sum) <= most) {
      return true;
    }
    give(counts, address);
    return false;
  }

  private static void give(ConcurrentHashMap<InetAddress, Integer> counts, InetAddress address) {
    counts.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Of IPv6 the network, as a subscriber has a whole one. */
  private static InetAddress network(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    byte[] bytes = address.getAddress();
    Arrays.fill(bytes, 8, bytes.length, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("16 bytes are an address", e);
    }
  }

  public int open() {
    return open.get();
  }

  public int limit() {
    return limit;
  }

  public long refused() {
    return refused.get();
  }
}
