package dev.laurel.server;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.laurel.server.http.HeapPressure;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Tells after every collection how much of the heap is still in use. */
final class HeapWatch implements AutoCloseable {
  private final HeapPressure pressure;
  private final Set<String> heapPools;
  private final NotificationListener listener = (notification, _) -> heard(notification);

  HeapWatch(HeapPressure pressure) {
    this.pressure = pressure;
    this.heapPools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toUnmodifiableSet());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
      }
    }
  }

  private void heard(Notification notification) {
    if (notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
        && notification.getUserData() instanceof CompositeData data) {
      Map<String, MemoryUsage> after =
          GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageAfterGc();
      long used = 0;
      for (Map.Entry<String, MemoryUsage> pool : after.entrySet()) {
        used += heapPools.contains(pool.getKey()) ? pool.getValue().getUsed() : 0;
      }
      pressure.collected(used, Runtime.getRuntime().maxMemory());
    }
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
          // Then it hears nothing any more, which is what is wanted.
        }
      }
    }
  }
}
