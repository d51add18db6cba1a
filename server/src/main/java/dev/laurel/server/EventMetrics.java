package dev.laurel.server;

import dev.laurel.core.events.ChangePublisher;
import dev.laurel.core.events.SourceObserver;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.pipeline.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What comes from Kafka, in the metrics and, where it fails, in the log. */
final class EventMetrics implements SourceObserver {
  private static final Logger LOG = LoggerFactory.getLogger(EventMetrics.class);

  private final MeterRegistry registry;
  private final Meters meters;
  private final DistributionSummary latency;
  private final Counter failures;
  private final Counter expressionFailures;
  private final TopicGauge lag;
  private final TopicGauge heldPartitions;
  private final TopicGauge unregisteredTopics;

  /** Used by the source's thread only. */
  private Set<String> unregistered = Set.of();

  /** The registry would look each up by its labels. Used by the source's thread only. */
  private final Map<String, Map<Outcome.Effect, Counter>> taken = new HashMap<>();

  EventMetrics(PrometheusMeterRegistry registry) {
    this.registry = registry;
    this.meters = new Meters(registry);
    latency =
        meters.summary(
            "laurel.events.latency.ms",
            "Milliseconds from an event's Kafka timestamp to its being visible",
            5,
            10,
            25,
            50,
            100,
            250,
            500,
            1000,
            5000,
            60_000);
    failures =
        meters.counter(
            "laurel.kafka.failures",
            "Things that Kafka or the store did not do and that are tried again");
    expressionFailures =
        meters.counter(
            "laurel.events.expression.failures", "Events whose score could not be computed");
    lag =
        TopicGauge.register(
            registry,
            "laurel.kafka.lag",
            "Events that wait in a topic, as far as this node reads it");
    heldPartitions =
        TopicGauge.register(
            registry,
            "laurel.kafka.held",
            "Partitions of a topic that wait alone; the log says for what, other partitions go on");
    unregisteredTopics =
        TopicGauge.register(
            registry,
            "laurel.kafka.unregistered",
            "1 for a topic of a pod that is not registered or has no schema in use; its events wait");
  }

  /** What is published. */
  void watch(ChangePublisher publisher) {
    FunctionCounter.builder("laurel.changes.published", publisher, ChangePublisher::published)
        .description("Changes that this node has published")
        .register(registry);
    meters.gauge("laurel.changes.behind", "Changes that wait to be published", publisher::behind);
  }

  void changesFailed(Throwable cause) {
    failures.increment();
    LOG.atError().setCause(cause).log("changes could not be published; tried again in a second");
  }

  @Override
  public void taken(String topic, Outcome.Effect effect, long sentAt) {
    taken
        .computeIfAbsent(topic, t -> new EnumMap<>(Outcome.Effect.class))
        .computeIfAbsent(effect, e -> events(topic, e.name()))
        .increment();
    latency.record((double) Math.max(0, System.currentTimeMillis() - sentAt));
  }

  @Override
  public void deadLetter(String topic, ErrorCode code) {
    events(topic, "REJECTED").increment();
    registry.counter("laurel.dead.letters", "topic", topic, "code", code.name()).increment();
    if (code == ErrorCode.EVALUATION_FAILED) {
      expressionFailures.increment();
    }
  }

  private Counter events(String topic, String outcome) {
    return registry.counter("laurel.events", "topic", topic, "outcome", outcome);
  }

  @Override
  public void lag(Map<String, Long> byTopic) {
    lag.set(numbers(byTopic));
  }

  @Override
  public void held(Map<String, Integer> byTopic) {
    heldPartitions.set(numbers(byTopic));
  }

  private static Map<String, Double> numbers(Map<String, ? extends Number> byTopic) {
    Map<String, Double> numbers = new HashMap<>();
    byTopic.forEach((topic, number) -> numbers.put(topic, number.doubleValue()));
    return numbers;
  }

  @Override
  public void unregistered(Set<String> topics) {
    if (!unregistered.containsAll(topics)) {
      LOG.atWarn()
          .addKeyValue("topics", topics)
          .log(
              "topics of pods that are not registered or have no schema in use are not read;"
                  + " their events wait in Kafka");
    }
    unregistered = topics;
    Map<String, Double> ones = new HashMap<>();
    topics.forEach(topic -> ones.put(topic, 1.0));
    unregisteredTopics.set(ones);
  }

  @Override
  public void waiting(String why) {
    LOG.atWarn().addKeyValue("why", why).log("events wait in Kafka");
  }

  @Override
  public void failed(String doing, Throwable cause) {
    failures.increment();
    LOG.atError().addKeyValue("doing", doing).setCause(cause).log("events could not be read");
  }
}
