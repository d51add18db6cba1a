package dev.laurel.server.events;

import dev.laurel.core.board.Boards;
import dev.laurel.core.events.Decoded;
import dev.laurel.core.events.EventDecoder;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pod.CommonEvent;
import dev.laurel.core.pod.PodDirectory;
import dev.laurel.core.pod.Pods;
import dev.laurel.core.pod.Transformed;
import dev.laurel.core.store.Pod;
import dev.laurel.core.store.ReadTransaction;
import dev.laurel.core.store.RememberedStore;
import dev.laurel.core.store.Store;
import dev.laurel.core.store.Topic;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the events of pods' and tenants' topics. Thread-safe. */
public final class JsonEvents implements EventDecoder, RememberedStore.Part {
  private final Store store;
  private final Boards boards;
  private final PodDirectory pods;
  private volatile Map<String, Topic> topics = Map.of();

  public JsonEvents(Store store, Boards boards, PodDirectory pods) {
    this.store = store;
    this.boards = boards;
    this.pods = pods;
  }

  @Override
  public void follow() {
    boards.follow();
    store.read(
        tx -> {
          enter(tx);
          return true;
        });
  }

  @Override
  public void enter(ReadTransaction tx) {
    pods.follow(tx);
    Map<String, Topic> found = new HashMap<>();
    tx.topics().forEach(topic -> found.put(topic.topicName(), topic));
    topics = Map.copyOf(found);
  }

  @Override
  public Set<String> topics() {
    Set<String> names = new HashSet<>(topics.keySet());
    pods.readable().forEach(pod -> names.add(Pods.topic(pod.podId())));
    return names;
  }

  @Override
  public Decoded decode(
      String topic, byte @Nullable [] value, Function<String, @Nullable String> headers) {
    try {
      Fields fields = Json.object(value == null ? new byte[0] : value);
      String podId = Pods.podOf(topic);
      return podId == null ? ofTenant(topic, fields) : ofPod(podId, fields, headers);
    } catch (RejectedException e) {
      return new Decoded.Refused(e.rejection(), null);
    }
  }

  private Decoded ofTenant(String name, Fields fields) {
    TenantEvents.Read read = TenantEvents.read(fields);
    Topic topic = topics.get(name);
    if (topic == null) {
      throw Rejection.expectation(
              ErrorCode.TOPIC_NOT_FOUND, "topicName", name, "a registered topic")
          .asException();
    }
    return new Decoded.Accepted(
        TenantEvents.require(boards, topic.tenant(), read.configId()), read.command(), null);
  }

  private Decoded ofPod(String podId, Fields fields, Function<String, @Nullable String> headers) {
    return switch (pods.transform(podId, fields.tree(), headers)) {
      case Transformed.Failed(var errors, String version) ->
          new Decoded.Refused(errors.getFirst(), version);
      case Transformed.Done(CommonEvent event, String version) -> {
        Pod pod = pods.find(podId);
        Board board = pod == null ? null : boards.find(pod.tenant(), event.uuid());
        Rejection refusal = ownership(podId, event.uuid(), board);
        yield board == null || refusal != null
            ? new Decoded.Refused(Objects.requireNonNull(refusal), version)
            : new Decoded.Accepted(board, command(event), version);
      }
    };
  }

  /** Why a pod may not write to a board: it is not its tenant's, or names another pod. */
  public static @Nullable Rejection ownership(String podId, String uuid, @Nullable Board board) {
    if (board == null) {
      return Boards.notFound(uuid).rejection();
    }
    String owner = board.podId();
    return owner == null || owner.equals(podId)
        ? null
        : Rejection.expectation(
            ErrorCode.POD_NOT_ALLOWED, "podId", podId, "the pod that board " + uuid + " names");
  }

  /** What a common event asks for. */
  public static Command command(CommonEvent event) {
    return new Command.Score(
        event.userId(),
        event.score().toString(),
        null,
        event.at(),
        event.eventId(),
        PodMetadata.write(event.metadata()));
  }
}
