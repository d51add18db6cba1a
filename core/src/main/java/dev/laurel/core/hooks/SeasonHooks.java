package dev.laurel.core.hooks;

import dev.laurel.core.board.SeasonEvent;
import dev.laurel.core.board.SeasonEvents;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.Season;
import dev.laurel.core.store.Delivery;
import dev.laurel.core.store.Webhook;
import dev.laurel.core.store.WriteTransaction;
import java.util.List;
import java.util.UUID;

/**
 * Writes a delivery for every webhook that wants the event, in the transaction of the step it is
 * about, all with the one id of the event: the step without its deliveries, or they without it,
 * cannot be. Thread-safe.
 */
public final class SeasonHooks implements SeasonEvents {
  private final Encoder encoder;

  public SeasonHooks(Encoder encoder) {
    this.encoder = encoder;
  }

  /**
   * Writes the JSON of an event. The revision is above 0 if the prizes were there before and a
   * revert has changed them.
   */
  @FunctionalInterface
  public interface Encoder {
    String encode(
        String id,
        SeasonEvent event,
        long at,
        String tenantId,
        Board board,
        Season season,
        int revision);
  }

  @Override
  public void happened(WriteTransaction tx, Board board, Season season, SeasonEvent event) {
    List<Webhook> wanting =
        tx.outbox().webhooks(board.tenant()).stream()
            .filter(webhook -> wants(webhook, board, event))
            .toList();
    if (wanting.isEmpty()) {
      return;
    }
    long now = tx.now();
    String id = UUID.randomUUID().toString();
    String payload =
        encoder.encode(
            id,
            event,
            now,
            tx.tenantId(board.tenant()),
            board,
            season,
            tx.finalRevision(season.id()));
    for (Webhook webhook : wanting) {
      tx.outbox().add(Delivery.of(webhook, id, event.text(), payload, now));
    }
  }

  private static boolean wants(Webhook webhook, Board board, SeasonEvent event) {
    String only = webhook.board();
    return webhook.events().contains(event.text()) && (only == null || only.equals(board.uuid()));
  }
}
