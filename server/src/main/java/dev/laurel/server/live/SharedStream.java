package dev.laurel.server.live;

import dev.laurel.core.live.Audience;
import dev.laurel.core.live.LiveHub;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.FairShares;
import dev.laurel.core.model.RejectedException;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.http.Statuses;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries several streams. Each that is asked for begins by itself, with an event
 * that says by which name its events go, or why it does not begin; nobody waits for another one.
 */
public final class SharedStream {
  private final Channel channel;
  private final LoopStreams loop;
  private final LiveConnection connection;

  /** One of the streams that somebody asked for. */
  public sealed interface Wanted {
    /**
     * @param stream the name that its events carry, the same for all who watch the same
     * @param lastId the id of the last event that was seen of it; null if there was none
     */
    record Watch(String stream, LiveStreams.Wish wish, @Nullable String lastId) implements Wanted {}

    record Refused(Rejection why) implements Wanted {}
  }

  SharedStream(Channel channel, LoopStreams loop, LiveConnection connection) {
    this.channel = channel;
    this.loop = loop;
    this.connection = connection;
  }

  /** The tenant of the first board that is watched; strangers' if there is none. */
  static long tenant(List<Wanted> wanted) {
    for (Wanted each : wanted) {
      if (each instanceof Wanted.Watch watch) {
        return watch.wish.board().tenant();
      }
    }
    return FairShares.STRANGERS;
  }

  static List<LiveStreams.Wish> wishes(List<Wanted> wanted) {
    List<LiveStreams.Wish> wishes = new ArrayList<>();
    for (Wanted each : wanted) {
      if (each instanceof Wanted.Watch watch) {
        wishes.add(watch.wish);
      }
    }
    return wishes;
  }

  /** Whether all of them may still be watched: who comes back hears which one may not. */
  static boolean areAllowed(List<Wanted> wanted) {
    for (Wanted each : wanted) {
      if (each instanceof Wanted.Watch watch && !watch.wish.allowed().getAsBoolean()) {
        return false;
      }
    }
    return true;
  }

  /** On the channel's loop. */
  void begin(LiveHub hub, List<Wanted> wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      switch (wanted.get(i)) {
        case Wanted.Refused(Rejection why) -> refuse(i, why);
        case Wanted.Watch watch ->
            hub.join(
                watch.wish.what(),
                watch.wish.board(),
                watch.wish.season(),
                new Joining(hub, i, watch));
      }
    }
  }

  private void refuse(int number, Rejection why) {
    JsonOut out = new JsonOut(192);
    out.beginObject();
    out.name("watch").number(number);
    out.name("status").number(Statuses.of(why.code().kind()));
    out.name("code").string(why.code().name());
    out.name("message").string(why.message());
    tell("stream.refused", out.endObject());
  }

  private void tell(String event, JsonOut data) {
    connection.write(
        connection.framing().encode(List.of(new Framing.Event(event, data, null)), ""));
  }

  /** One that waits for its first message. */
  private final class Joining implements Audience.Newcomer {
    private final LiveHub hub;
    private final int number;
    private final Wanted.Watch watch;

    Joining(LiveHub hub, int number, Wanted.Watch watch) {
      this.hub = hub;
      this.number = number;
      this.watch = watch;
    }

    @Override
    public @Nullable String lastId() {
      return watch.lastId;
    }

    @Override
    public void join(Audience audience, byte[] first) {
      channel.closeFuture().addListener(_ -> hub.leave(watch.wish.what(), audience));
      if (audience instanceof Crowd crowd) {
        crowd.reach(loop);
        channel.eventLoop().execute(() -> begin(crowd, first));
      }
    }

    /** On the loop, in one go: so no message is missed in between, and none comes twice. */
    private void begin(Crowd crowd, byte[] first) {
      if (!channel.isActive()) {
        return;
      }
      crowd.add(loop, connection);
      channel.closeFuture().addListener(_ -> crowd.remove(loop, connection));
      JsonOut out = new JsonOut(64);
      out.beginObject();
      out.name("watch").number(number);
      out.name("stream").string(watch.stream);
      tell("stream.opened", out.endObject());
      connection.write(first);
    }

    @Override
    public void fail(Throwable why) {
      Rejection known =
          why instanceof RejectedException refused
              ? refused.rejection()
              : Rejection.of(ErrorCode.OVERLOADED, "it cannot be read now: try again in a moment");
      channel.eventLoop().execute(() -> refuse(number, known));
    }
  }
}
