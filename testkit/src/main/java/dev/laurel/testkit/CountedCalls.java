package dev.laurel.testkit;

import dev.laurel.core.store.OutboxReads;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store that counts what is asked of it in read transactions, call by call. */
public final class CountedCalls {
  private final Store store;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  public CountedCalls(Store store) {
    this.store = store;
  }

  /** The store to hand to those who are counted. */
  public Store store() {
    return proxy(
        Store.class,
        (method, given) -> {
          if (!method.getName().equals("read")) {
            return call(method, store, given);
          }
          Object[] counted = given.clone();
          int last = given.length - 1;
          counted[last] = (Store.Work<ReadTransaction, Object>) tx -> work(given[last], tx);
          return call(method, store, counted);
        });
  }

  /** How many calls there were since the last time somebody asked. */
  public int take() {
    return calls.getAndSet(0);
  }

  /** How many of them there were at most in one transaction. */
  public int mostInOne() {
    return most.get();
  }

  @SuppressWarnings("unchecked") // a read takes nothing else
  private Object work(Object work, ReadTransaction tx) {
    int before = calls.get();
    Object result =
        ((Store.Work<ReadTransaction, Object>) work).in(counted(ReadTransaction.class, tx));
    most.accumulateAndGet(calls.get() - before, Math::max);
    return result;
  }

  private <T> T counted(Class<T> type, T target) {
    return proxy(
        type,
        (method, given) -> {
          calls.incrementAndGet();
          Object result = call(method, target, given);
          return result instanceof OutboxReads outbox ? counted(OutboxReads.class, outbox) : result;
        });
  }

  private interface Call {
    @Nullable Object run(Method method, Object[] given) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, given) -> call.run(method, given == null ? new Object[0] : given)));
  }

  private static @Nullable Object call(Method method, Object target, Object[] given)
      throws Throwable {
    try {
      return method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
