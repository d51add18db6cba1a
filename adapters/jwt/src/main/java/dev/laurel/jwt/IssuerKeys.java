package dev.laurel.jwt;

import dev.laurel.core.access.Issuers;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.vital.Failures;
import dev.laurel.core.vital.Vital;
import java.net.URI;
import java.text.ParseException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys of every issuer, kept fresh by a thread of its own. Thread-safe. */
final class IssuerKeys implements AutoCloseable {
  private static final long TICK_MILLIS = 1000;

  /**
   * Requests of a tenant that may wait for keys at once, beside those of each issuer ({@link
   * RemoteKeys}): tenants with slow issuers must neither take every thread nor each other's places.
   */
  private static final int PLACES_OF_A_TENANT = 16;

  private final Issuers issuers;
  private final JwksFetcher fetcher;
  private final KeysObserver observer;
  private final Map<Address, RemoteKeys> remote = new ConcurrentHashMap<>();
  private final Map<String, KeySet> given = new ConcurrentHashMap<>();
  private final Map<Long, Semaphore> places = new ConcurrentHashMap<>();

  /** Each fetch has a thread of its own, so none waits for another issuer's. */
  private final ExecutorService fetches =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("jwks-", 0).factory());

  private final Thread thread;
  private volatile boolean closed;

  private record Address(String url, boolean trusted) {
    static Address of(Issuer issuer, String url) {
      return new Address(url, issuer.id() == 0);
    }
  }

  IssuerKeys(Issuers issuers, JwksFetcher fetcher, KeysObserver observer) {
    this.issuers = issuers;
    this.fetcher = fetcher;
    this.observer = observer;
    this.thread = Thread.ofPlatform().name("laurel-jwks").daemon().start(this::run);
  }

  /** From memory. */
  KeySet of(Issuer issuer) {
    String url = issuer.jwksUrl();
    return url == null ? given(String.valueOf(issuer.keys())) : remote(issuer, url).keys();
  }

  /** Whether keys that {@link #of} does not know could be there by now. */
  boolean mayHaveNews(Issuer issuer) {
    String url = issuer.jwksUrl();
    return url != null && remote(issuer, url).mayHaveNews();
  }

  /** Looks for newer keys, and waits for them. */
  KeySet fetched(Issuer issuer) {
    String url = issuer.jwksUrl();
    Semaphore ofTenant =
        places.computeIfAbsent(issuer.tenant(), _ -> new Semaphore(PLACES_OF_A_TENANT));
    if (url != null && ofTenant.tryAcquire()) {
      try {
        remote(issuer, url).look();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        ofTenant.release();
      }
    }
    return of(issuer);
  }

  private RemoteKeys remote(Issuer issuer, String url) {
    return remote.computeIfAbsent(
        Address.of(issuer, url),
        address -> new RemoteKeys(URI.create(url), address.trusted, fetcher, observer));
  }

  private KeySet given(String json) {
    return given.computeIfAbsent(
        json,
        text -> {
          try {
            return KeySet.parse(text);
          } catch (ParseException e) {
            // Checked when it was stored; a later version may be stricter.
            observer.failed("keys given directly", e);
            return KeySet.EMPTY;
          }
        });
  }

  private void run() {
    try {
      while (!closed) {
        turn();
        Thread.sleep(TICK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn() {
    try {
      for (Issuer issuer : issuers.inForce().all()) {
        String url = issuer.jwksUrl();
        if (url != null) {
          remote(issuer, url).refresh(fetches);
        }
      }
      forget();
    } catch (RuntimeException | Error e) {
      Failures.tell(why -> observer.failed("keys of issuers", why), e);
    }
  }

  @Nullable String lost() {
    return Vital.lost(thread, closed);
  }

  private void forget() {
    var all = issuers.inForce().all();
    Set<Address> addresses =
        all.stream()
            .filter(i -> i.jwksUrl() != null)
            .map(i -> Address.of(i, String.valueOf(i.jwksUrl())))
            .collect(Collectors.toSet());
    remote.keySet().retainAll(addresses);
    places.keySet().retainAll(all.stream().map(Issuer::tenant).toList());
    given.keySet().retainAll(all.stream().map(i -> String.valueOf(i.keys())).toList());
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    fetches.shutdownNow();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
