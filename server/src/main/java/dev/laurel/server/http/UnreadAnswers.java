package dev.laurel.server.http;

import dev.laurel.core.model.ByteBudget;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much memory answers may take that wait to be sent, and those that their callers do not read:
 * so much for each of the two. One that would wait beyond it is not given. If unread ones take
 * more, the connection ends whose caller has not read anything for the longest time: whoever reads,
 * however slowly, comes after all who do not. One alone may take more: it would else never get an
 * answer that is larger than all of it. Thread-safe.
 */
public final class UnreadAnswers {
  private final long limit;

  /** Those with something unread; whose caller read least recently is first. */
  private final LinkedHashSet<Pile> piles = new LinkedHashSet<>();

  /** Answers that are made, and wait for their event loop. */
  private final ByteBudget onTheWay;

  private long used;
  private long closed;

  public UnreadAnswers(long bytes) {
    this.limit = bytes;
    this.onTheWay = new ByteBudget(bytes);
  }

  /**
   * An answer is going to wait for its event loop; {@link #written} is due after true, and only
   * then.
   */
  boolean announce(long bytes) {
    return onTheWay.take(bytes);
  }

  void written(long bytes) {
    onTheWay.give(bytes);
  }

  public synchronized long used() {
    return used;
  }

  public long limit() {
    return limit;
  }

  /** How many connections ended for it. */
  public synchronized long closed() {
    return closed;
  }

  /**
   * @param socketSide from where a close goes straight to the socket: Vert.x would first wait until
   *     the answers are read
   */
  Pile pile(ChannelHandlerContext socketSide) {
    return new Pile(socketSide);
  }

  private void changed(Pile pile, long bytes) {
    List<Pile> over = new ArrayList<>();
    synchronized (this) {
      if (pile.condemned || bytes == pile.bytes) {
        return;
      }
      if (bytes < pile.bytes || pile.bytes == 0) {
        piles.remove(pile);
        if (bytes > 0) {
          piles.add(pile);
        }
      }
      used += bytes - pile.bytes;
      pile.bytes = bytes;
      while (used > limit && piles.size() > 1) {
        Pile oldest = piles.removeFirst();
        oldest.condemned = true;
        used -= oldest.bytes;
        oldest.bytes = 0;
        closed++;
        over.add(oldest);
      }
    }
    // Each on its own loop: closing gives the memory back.
    over.forEach(oldest -> oldest.socketSide.close());
  }

  /** What waits for the caller of one connection. Its event loop looks. */
  final class Pile {
    private static final long LOOK_AGAIN_MILLIS = 1000;

    private final ChannelHandlerContext socketSide;

    /** Guarded by the whole. */
    private long bytes;

    private boolean condemned;

    /** Whether it looks again by itself; only the event loop asks. */
    private boolean watching;

    /** What it found last; likewise. */
    private long seen;

    private Pile(ChannelHandlerContext socketSide) {
      this.socketSide = socketSide;
    }

    /** After a flush: what the socket did not take is in our memory. */
    void look() {
      ChannelOutboundBuffer buffer = socketSide.channel().unsafe().outboundBuffer();
      long unread = buffer == null ? 0 : buffer.totalPendingWriteBytes();
      if (unread > 0 && !watching) {
        watching = true;
        again();
      }
      if (unread != seen) {
        seen = unread;
        changed(this, unread);
      }
    }

    private void again() {
      socketSide
          .channel()
          .eventLoop()
          .schedule(
              () -> {
                watching = false;
                look();
              },
              LOOK_AGAIN_MILLIS,
              TimeUnit.MILLISECONDS);
    }

    void gone() {
      changed(this, 0);
    }
  }
}
