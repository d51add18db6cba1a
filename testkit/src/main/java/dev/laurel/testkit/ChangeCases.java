package dev.laurel.testkit;

import static dev.laurel.testkit.Harness.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.events.AwardHooks;
import dev.laurel.core.events.Change;
import dev.laurel.core.events.ChangePublisher;
import dev.laurel.core.events.ChangeStream;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Update;
import dev.laurel.core.pipeline.Command;
import dev.laurel.core.pipeline.Request;
import dev.laurel.core.store.Callers;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Digest;
import dev.laurel.core.store.Webhook;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Changes that are published: none is missing, whatever fails, and what comes twice is the same.
 */
interface ChangeCases extends PipelineCases {
  /** Keeps what it gets; can fail after it took some of it. */
  final class Kept implements ChangeStream {
    String name = "changes";
    final List<String> messages = new ArrayList<>();
    int failAfter = Integer.MAX_VALUE;

    @Override
    public Digest id() {
      return Digest.of(name);
    }

    @Override
    public boolean send(List<Message> some, BooleanSupplier stop) {
      for (Message message : some) {
        if (failAfter-- == 0) {
          failAfter = Integer.MAX_VALUE;
          throw new IllegalStateException("the stream is down");
        }
        messages.add(message.key() + ":" + new String(message.value(), StandardCharsets.UTF_8));
      }
      return true;
    }
  }

  private static ChangePublisher publisher(Harness node, ChangeStream stream) {
    return new ChangePublisher(
        node.store, node.directory, node.users, stream, change -> List.of(encode(change)));
  }

  private static ChangeStream.Message encode(Change change) {
    LedgerLine line = change.line();
    String text =
        "%s %s %s %s %d %d"
            .formatted(
                change.tenantId(),
                line.kind(),
                change.userId(),
                change.seasons().stream().map(s -> s.label()).toList(),
                line.value(),
                line.line());
    return new ChangeStream.Message(change.board().uuid(), text.getBytes(StandardCharsets.UTF_8));
  }

  private static void turn(ChangePublisher publisher) {
    publisher.turn(() -> false);
  }

  @Test
  default void turn_scoresAndDeletions_publishesEachLineInOrder() {
    Kept stream = new Kept();
    Board board = harness().board("told", Update.SUM);
    harness().submit(board, score("ann", 5), score("bob", 7));
    harness().submit(board, new Command.Delete("ann"));
    ChangePublisher publisher = publisher(harness(), stream);
    turn(publisher);
    turn(publisher);
    String season = "[" + board.primary().label() + "]";
    assertThat(stream.messages)
        .containsExactly(
            "told:default SCORE ann " + season + " 5 1",
            "told:default SCORE bob " + season + " 7 2",
            "told:default DELETE ann " + season + " 0 3");
    assertThat(publisher.published()).isEqualTo(3);
    turn(publisher);
    assertThat(publisher.behind()).isZero();
  }

  /** Its features come from the lines before it: sent again they are the same. */
  @Test
  default void award_readAgainByAnotherNode_hasTheSameFeaturesAndIsDeliveredOnce(Random random) {
    Board board = harness().board("awards", Update.SUM);
    Webhook webhook =
        new Webhook(
            0,
            board.tenant(),
            "http://localhost/",
            "0123456789abcdef",
            Set.of(AwardHooks.EVENT),
            null,
            "test",
            clock().millis());
    long hook = store().<Webhook>write(tx -> tx.outbox().createWebhook(webhook)).id();
    Function<Change, String> encoder = c -> c.line().line() + " " + c.award();
    List<String> first = new ArrayList<>();
    AwardHooks hooks = new AwardHooks(store(), harness().directory, harness().users, encoder);
    for (int i = 0; i < 300; i++) {
      clock().turn(Duration.ofSeconds(random.nextInt(40)));
      String metadata = "{\"award_id\":\"" + i + "\"}";
      Command award = new Command.Award("u" + random.nextInt(3), 5 + i % 3, "a" + i, metadata);
      long rules = Callers.ofAwards("https://login.example");
      harness().await(new Request(board, List.of(award), rules, false, null));
      // What a service or a topic sends is none, whatever it says of itself.
      Command alike = new Command.Score("u1", "3", null, null, null, metadata);
      long sender = i % 2 == 0 ? 1 : Callers.ofTopic("scores");
      harness().await(new Request(board, List.of(alike), sender, false, null));
      if (i % 50 == 0) {
        hooks = new AwardHooks(store(), harness().directory, harness().users, encoder);
      }
      if (i % 7 == 0) {
        hooks.turn(() -> false);
      }
    }
    hooks.turn(() -> false);
    hooks.turn(() -> false);
    Kept stream = new Kept();
    turn(
        new ChangePublisher(
            store(),
            harness().directory,
            harness().users,
            stream,
            c -> {
              if (c.award() != null) {
                first.add(encoder.apply(c));
              }
              return List.of();
            }));
    assertThat(first).hasSize(300);
    assertThat(first.getLast()).contains("perHour=");
    List<String> delivered =
        store()
            .read(
                tx ->
                    tx.outbox().deliveries(hook, null, 1000).stream()
                        .map(Delivery::payload)
                        .toList());
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(first);
  }

  /** It looks each second, whatever there is. */
  @Test
  default void awardHooks_manyTenantsWithoutAWebhook_askAsLittleAsWithOne() {
    CountedCalls counted = new CountedCalls(store());
    AwardHooks hooks =
        new AwardHooks(counted.store(), harness().directory, harness().users, c -> "");
    hooks.turn(() -> false);
    int alone = counted.take();
    store()
        .write(
            tx -> {
              for (int i = 0; i < 100; i++) {
                tx.createTenant("t" + i, "t", 1);
              }
              return true;
            });
    Board board = harness().board("awards", Update.SUM);
    harness().submit(board, score("ann", 1));
    hooks.turn(() -> false);
    assertThat(counted.take()).isEqualTo(alone).isLessThan(6);
  }

  @Test
  default void turn_streamStoreAndNodeFail_nothingIsMissing(Random random) {
    Kept stream = new Kept();
    Board board = harness().board("kept", Update.SUM);
    for (int round = 0; round < 30; round++) {
      for (int i = random.nextInt(5); i >= 0; i--) {
        harness().submit(board, score("u" + random.nextInt(5), 1), score("x", round));
      }
      ChangePublisher publisher = publisher(harness(), stream);
      switch (random.nextInt(4)) {
        case 0 -> {
          stream.failAfter = random.nextInt(2); // of two or more
          assertThatThrownBy(() -> turn(publisher)).hasMessage("the stream is down");
        }
        case 1 -> {
          // All is sent, and how far it came is not stored: as if the node had died between.
          store().failNextWrite(FaultyStore.Fault.UNAVAILABLE);
          assertThatThrownBy(() -> turn(publisher)).isNotNull();
        }
        case 2 -> restart();
        default -> turn(publisher);
      }
      clock().turn(Duration.ofMinutes(1)); // leases end
    }
    turn(publisher(harness(), stream));
    List<String> once = List.copyOf(new LinkedHashSet<>(stream.messages));
    List<LedgerLine> lines =
        store().read(tx -> tx.lines(board.shard(), 0, Long.MAX_VALUE, Integer.MAX_VALUE));
    assertThat(once).hasSize(lines.size());
    for (int i = 0; i < once.size(); i++) {
      assertThat(once.get(i)).endsWith(" " + (i + 1));
    }
  }

  @Test
  default void turn_anotherNodePublishes_leavesItToThatOneUntilItsLeaseEnds() {
    Kept stream = new Kept();
    Board board = harness().board("leased", Update.SUM);
    ChangePublisher first = publisher(harness(), stream);
    Harness other = node(1 << 16);
    try {
      ChangePublisher second = publisher(other, stream);
      harness().submit(board, score("ann", 1));
      turn(first);
      harness().submit(board, score("ann", 1));
      turn(second);
      // A store that nobody shares needs no lease.
      assertThat(stream.messages).hasSize(store().isShared() ? 1 : 2);
      clock().turn(Duration.ofMinutes(1));
      turn(second);
      assertThat(stream.messages).hasSize(2);
      harness().submit(board, score("ann", 1));
      turn(second);
      assertThat(stream.messages).hasSize(3);
    } finally {
      other.close();
    }
  }

  @Test
  default void turn_streamMadeAgain_publishesEverythingAgain() {
    Kept stream = new Kept();
    Board board = harness().board("again", Update.SUM);
    harness().submit(board, score("ann", 1));
    turn(publisher(harness(), stream));
    stream.name = "made again";
    turn(publisher(harness(), stream));
    assertThat(stream.messages).hasSize(2);
    assertThat(stream.messages.getFirst()).isEqualTo(stream.messages.getLast());
  }
}
