package dev.laurel.server.api;

import dev.laurel.core.board.BoardDirectory;
import dev.laurel.core.model.Board;
import dev.laurel.core.model.LedgerLine;
import dev.laurel.core.model.Season;
import dev.laurel.core.privacy.Profiles;
import dev.laurel.core.privacy.UserData;
import dev.laurel.core.query.Rankings;
import dev.laurel.core.query.Seasons;
import dev.laurel.core.review.LongWork;
import dev.laurel.core.store.Anomaly;
import dev.laurel.core.store.Store;
import dev.laurel.server.http.BodyStream;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.JsonOut;
import dev.laurel.server.limits.Shares;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * All that the store has about a user, as one JSON object that is sent while it is read: the user
 * may have a million lines.
 */
final class UserExport {
  /** Those that are sent; what reads the ledger for them queues in {@link LongWork}. */
  private static final int AT_ONCE = 32;

  private static final int AT_ONCE_OF_A_TENANT = 4;

  private final Store store;
  private final BoardDirectory directory;
  private final Profiles profiles;
  private final UserData data;
  private final Rankings rankings;
  private final LongWork work;
  private final Shares shares = new Shares(AT_ONCE, AT_ONCE_OF_A_TENANT);

  UserExport(
      Store store,
      BoardDirectory directory,
      Profiles profiles,
      UserData data,
      Rankings rankings,
      LongWork work) {
    this.store = store;
    this.directory = directory;
    this.profiles = profiles;
    this.data = data;
    this.rankings = rankings;
    this.work = work;
  }

  /** The answer in pieces. JsonOut writes whole values, so the outer object is written by hand. */
  private static final class Pieces {
    private final BodyStream out;
    private boolean first = true;

    Pieces(BodyStream out) {
      this.out = out;
    }

    void text(String text) {
      send(text.getBytes(StandardCharsets.UTF_8));
    }

    void array(String name) {
      text(",\"" + name + "\":[");
      first = true;
    }

    void element(JsonOut element) {
      if (!first) {
        text(",");
      }
      first = false;
      send(element.toByteArray());
    }

    void send(byte[] bytes) {
      if (!out.write(bytes, bytes.length)) {
        throw new CancellationException();
      }
    }
  }

  void export(Exchange exchange, String userId) {
    long tenant = exchange.caller().tenant();
    shares.enter(tenant);
    try {
      export(exchange, tenant, userId);
    } finally {
      shares.leave(tenant);
    }
  }

  private void export(Exchange exchange, long tenant, String userId) {
    int user = profiles.require(tenant, userId);
    List<UserData.Held> held = new ArrayList<>();
    for (Board board : directory.ofTenant(tenant)) {
      held.addAll(store.read(tx -> UserData.entries(tx, board, user)));
    }
    BodyStream stream = exchange.stream("application/json");
    Pieces out = new Pieces(stream);
    try {
      JsonOut profile = new JsonOut(160).beginObject();
      ProfileFields.of(profiles.find(tenant, user)).write(profile, "displayName");
      JsonOut id = new JsonOut(160).string(userId);
      out.text("{\"userId\":" + id + ",\"profile\":" + profile.endObject());
      out.array("entries");
      for (UserData.Held each : held) {
        out.element(entry(each));
      }
      out.text("]");
      out.array("prizes");
      for (UserData.Held each : held) {
        prizes(out, each, userId);
      }
      out.text("]");
      out.array("lines");
      data.lines(tenant, user, work::step, lines -> lines.forEach(line -> line(out, line)));
      out.text("]}");
      stream.end();
    } catch (CancellationException e) {
      // Whoever asked has gone.
    }
  }

  private JsonOut entry(UserData.Held held) {
    Board board = held.board();
    JsonOut out = begin(board, held.season());
    out.name("deleted").bool(held.entry().deleted());
    if (!held.entry().deleted()) {
      out.name(Answers.SCORE).units(held.entry().score(), board.decimals());
      out.name(Answers.TIMESTAMP).timestamp(held.entry().reached());
    }
    if (held.entry().metadata() != null) {
      out.name("metadata").raw(held.entry().metadata());
    }
    return out.endObject();
  }

  private static JsonOut begin(Board board, Season season) {
    JsonOut out = new JsonOut(256).beginObject();
    out.name(Answers.UUID).string(board.uuid());
    out.name("instanceId").string(board.idOf(season));
    return out;
  }

  /** Those that were given: of seasons that are over. */
  private void prizes(Pieces out, UserData.Held held, String userId) {
    if (!Seasons.isFinal(held.season())) {
      return;
    }
    rankings
        .prize(held.board(), held.season(), userId)
        .ifPresent(
            won -> {
              JsonOut prize = begin(held.board(), held.season());
              prize.name("tier");
              WindowFields.write(prize, won.tier());
              prize.name(Answers.RANK).number(won.rank());
              out.element(prize.endObject());
            });
  }

  private void line(Pieces out, LedgerLine line) {
    Board board = directory.find(line.board());
    if (board == null) {
      return;
    }
    JsonOut json = new JsonOut(384).beginObject();
    json.name(Answers.UUID).string(board.uuid());
    json.name("line").number(line.line());
    json.name("kind").string(line.kind().name());
    if (line.kind().isSubmission()) {
      json.name("mode").string(line.mode().name());
      json.name("value").units(line.value(), board.decimals());
    }
    json.name(Answers.TIMESTAMP).timestamp(line.at());
    if (line.eventId() != null) {
      json.name("eventId").string(line.eventId());
    }
    if (line.client() != null) {
      json.name("client").string(line.client());
    }
    if (line.metadata() != null) {
      json.name("metadata").raw(line.metadata());
    }
    Anomaly anomaly = store.read(tx -> tx.anomaly(line.board(), line.line()));
    if (anomaly != null) {
      json.name("anomaly").beginObject();
      GuardRoutes.write(json, anomaly);
      json.endObject();
    }
    out.element(json.endObject());
  }
}
