package dev.laurel.testkit;

import dev.laurel.core.model.Entry;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Remembers the most lines or entries that one question to a store brought into memory. */
final class WatchedReads {
  private final AtomicInteger most = new AtomicInteger();

  int most() {
    return most.get();
  }

  /** The store, watched while it is read. */
  Store of(Store store) {
    return proxy(
        Store.class,
        store,
        argument -> argument instanceof Store.Work<?, ?> work ? watched(work) : argument,
        UnaryOperator.identity());
  }

  @SuppressWarnings("unchecked") // a read gets nothing else
  private Store.Work<ReadTransaction, Object> watched(Store.Work<?, ?> work) {
    return tx ->
        ((Store.Work<ReadTransaction, Object>) work)
            .in(proxy(ReadTransaction.class, tx, UnaryOperator.identity(), this::counted));
  }

  private Object counted(Object result) {
    int sum =
        result instanceof Map<?, ?> map
            ? map.values().stream().mapToInt(WatchedReads::count).sum()
            : count(result);
    most.accumulateAndGet(sum, Math::max);
    return result;
  }

  private static int count(@Nullable Object result) {
    return result instanceof List<?> list
        ? (int) list.stream().filter(e -> e instanceof LedgerLine || e instanceof Entry).count()
        : 0;
  }

  private static <T> T proxy(
      Class<T> type, T target, UnaryOperator<Object> in, UnaryOperator<Object> out) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call(method, target, arguments, in, out)));
  }

  private static @Nullable Object call(
      Method method,
      Object target,
      Object @Nullable [] arguments,
      UnaryOperator<Object> in,
      UnaryOperator<Object> out)
      throws Throwable {
    @Nullable Object[] given = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < given.length; i++) {
      Object argument = given[i];
      given[i] = argument == null ? null : in.apply(argument);
    }
    try {
      Object result = method.invoke(target, given);
      return result == null ? null : out.apply(result);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
