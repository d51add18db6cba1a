package dev.laurel.server.awards;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something when the process gets SIGHUP, which else would end it. The JDK has no supported
 * way to hear of signals; sun.misc.Signal is what there is, found by its name, because the compiler
 * warns of it in a way that cannot be silenced. Where it is missing nothing happens.
 */
final class Hangup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

  private @Nullable Object before;

  Hangup(Runnable action) {
    try {
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              handlerType.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      action.run();
                      yield null;
                    }
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> false;
                    default -> "reload on SIGHUP";
                  });
      before = handle(handler);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LOG.atWarn().addKeyValue("why", e.toString()).log("SIGHUP cannot be heard here");
    }
  }

  /** The handler that was there before. */
  private static @Nullable Object handle(Object handler) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Method handle = signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"));
    try {
      return handle.invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handler);
    } catch (InvocationTargetException e) {
      // Windows has no such signal.
      throw new IllegalArgumentException(e.getCause());
    }
  }

  @Override
  public void close() {
    if (before != null) {
      try {
        handle(before);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        LOG.atWarn().addKeyValue("why", e.toString()).log("SIGHUP is still heard");
      }
    }
  }
}
