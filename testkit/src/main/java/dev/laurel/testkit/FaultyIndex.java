package dev.laurel.testkit;

import dev.laurel.core.rank.RankIndex;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;

/** A real index that fails where it is told to. */
final class FaultyIndex {
  private final AtomicReference<String> next = new AtomicReference<>("");

  /** The next call of this method, of the index or of one of its drafts, ends in an error. */
  void failNext(String method) {
    next.set(method);
  }

  boolean hasFailed() {
    return next.get().isEmpty();
  }

  Harness.IndexSource over(Harness.IndexSource real) {
    return (store, users, bytes, observer) ->
        faulty(RankIndex.class, real.open(store, users, bytes, observer));
  }

  private <T> T faulty(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyIndex.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              if (next.get().equals(method.getName())) {
                next.set("");
                throw new InternalError("told to fail in " + method.getName());
              }
              try {
                Object result = method.invoke(real, args);
                return result instanceof RankIndex.Draft draft
                    ? faulty(RankIndex.Draft.class, draft)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
