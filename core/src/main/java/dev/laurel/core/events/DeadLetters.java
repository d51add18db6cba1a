package dev.laurel.core.events;

import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.StoredId;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of a tenant that nobody has sent again. Blocking. Thread-safe.
 *
 * <p>A letter that is sent again stays in its topic and is marked in the store, after it was sent:
 * so a crash may send it twice, which counts once, because it carries its origin as an id.
 */
public final class DeadLetters {
  private static final int PAGE = 500;

  private final Store store;
  private final DeadLetterTopics topics;
  private final InstantSource clock;

  public DeadLetters(Store store, DeadLetterTopics topics, InstantSource clock) {
    this.store = store;
    this.topics = topics;
    this.clock = clock;
  }

  /**
   * Which letters are meant; null for any.
   *
   * @param topic that the events came from
   */
  public record Filter(@Nullable String topic, @Nullable String code) {}

  public DeadLetterTopics.Page list(
      long tenant, Filter filter, DeadLetter.@Nullable Place after, int limit) {
    Set<String> own = ownTopics(tenant, filter.topic);
    if (after != null && !own.contains(after.topic())) {
      throw Rejection.expectation(
              ErrorCode.INVALID_CURSOR, "cursor", after, "the nextCursor of an earlier answer")
          .asException();
    }
    DeadLetterTopics.Page page = topics.read(own, after, matching(filter), limit);
    return new DeadLetterTopics.Page(open(page.letters()), page.next());
  }

  private static Predicate<DeadLetter> matching(Filter filter) {
    return letter -> filter.code == null || letter.code().equals(filter.code);
  }

  /** Without those of other tenants. */
  private Set<String> ownTopics(long tenant, @Nullable String topic) {
    Set<String> own = new TreeSet<>();
    store.read(
        tx -> {
          tx.topics().stream()
              .filter(t -> t.tenant() == tenant)
              .forEach(t -> own.add(t.topicName()));
          tx.pods().stream()
              .filter(p -> p.tenant() == tenant)
              .forEach(p -> own.add(Pods.topic(p.podId())));
          return true;
        });
    if (topic != null) {
      own.retainAll(Set.of(topic));
      if (own.isEmpty()) {
        throw Rejection.expectation(
                ErrorCode.TOPIC_NOT_FOUND, "topic", topic, "a topic of this tenant")
            .asException();
      }
    }
    return own;
  }

  private List<DeadLetter> open(List<DeadLetter> letters) {
    Map<StoredId.Name, StoredId> sent =
        store.read(tx -> tx.ids(letters.stream().map(DeadLetters::mark).toList()));
    return letters.stream().filter(letter -> !sent.containsKey(mark(letter))).toList();
  }

  private static List<DeadLetter> whole(List<DeadLetter> letters) {
    return letters.stream().filter(DeadLetter::isWhole).toList();
  }

  /** The id that is used up when a letter is sent again. */
  private static StoredId.Name mark(DeadLetter letter) {
    DeadLetter.Place place = letter.place();
    return new StoredId.Name(
        0,
        Digest.of(
            "redriven",
            letter.topicId().high() + "/" + letter.topicId().low(),
            place.partition() + "/" + place.offset()));
  }

  /** Sends some again; those that are not there or not whole, or were sent, are passed over. */
  public OnceOnly.Answer redrive(
      long tenant,
      Collection<DeadLetter.Place> places,
      OnceOnly.@Nullable Key key,
      IntFunction<byte[]> answer) {
    Set<String> own = ownTopics(tenant, null);
    List<DeadLetter> open =
        whole(
            open(
                topics.find(
                    places.stream().filter(p -> own.contains(p.topic())).distinct().toList())));
    topics.resend(open);
    return mark(open, open.size(), key, answer);
  }

  /** Sends all of them again that were there when it began. */
  public OnceOnly.Answer redrive(
      long tenant, Filter filter, OnceOnly.@Nullable Key key, IntFunction<byte[]> answer) {
    Set<String> own = ownTopics(tenant, filter.topic);
    long start = clock.millis();
    Predicate<DeadLetter> chosen = matching(filter).and(letter -> letter.at() <= start);
    int sent = 0;
    DeadLetterTopics.Page page = topics.read(own, null, chosen, PAGE);
    while (true) {
      List<DeadLetter> open = whole(open(page.letters()));
      topics.resend(open);
      sent += open.size();
      if (page.next() == null) {
        return mark(open, sent, key, answer);
      }
      mark(open, sent, null, answer);
      page = topics.read(own, page.next(), chosen, PAGE);
    }
  }

  private OnceOnly.Answer mark(
      List<DeadLetter> letters, int sent, OnceOnly.@Nullable Key key, IntFunction<byte[]> answer) {
    long now = clock.millis();
    return OnceOnly.run(
        store,
        key,
        now,
        tx -> {
          // Others may send the same ones at this moment.
          tx.lockShard(0);
          Set<StoredId.Name> names = new HashSet<>();
          letters.forEach(letter -> names.add(mark(letter)));
          names.removeAll(tx.ids(names).keySet());
          tx.putIds(
              names.stream()
                  .map(n -> new StoredId(0, n.key(), n.key(), 0, true, 0, 0, now, null))
                  .toList());
          return answer.apply(sent);
        });
  }
}
