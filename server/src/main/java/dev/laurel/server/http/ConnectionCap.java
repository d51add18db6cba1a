package dev.laurel.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps connections well below the file-descriptor limit: out of descriptors, a server can neither
 * accept nor open its own files, and one whose acceptor fails there may never listen again.
 * Thread-safe.
 */
public final class ConnectionCap {
  private final int limit;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();

  public ConnectionCap(int limit) {
    this.limit = limit;
  }

  /** A limit for this process, from what the system allows it. */
  public static int limitOfProcess() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? limitFor(unix.getMaxFileDescriptorCount())
        : 10_000;
  }

  /** The database, logs, and connections that are being refused need descriptors too. */
  static int limitFor(long descriptors) {
    if (descriptors <= 1024) {
      return (int) Math.max(8, descriptors / 4);
    }
    return (int) Math.min(1_000_000, Math.min(descriptors - 512, descriptors * 4 / 5));
  }

  /** False if the new connection must be closed; {@link #leave} is due only after true. */
  boolean enter() {
    if (open.incrementAndGet() > limit) {
      open.decrementAndGet();
      refused.incrementAndGet();
      return false;
    }
    return true;
  }

  void leave() {
    open.decrementAndGet();
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
