package dev.laurel.server.api;

import dev.laurel.core.events.DeadLetter;
import dev.laurel.core.events.DeadLetterTopics;
import dev.laurel.core.events.DeadLetters;
import dev.laurel.core.model.ErrorCode;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Events of the caller's tenant that were refused, and their way back. */
final class DeadLetterRoutes {
  private static final int MAX_IDS = 1000;
  private static final int SHOWN_CHARACTERS = 4096;

  private final DeadLetters letters;

  DeadLetterRoutes(DeadLetters letters) {
    this.letters = letters;
  }

  void list(Exchange exchange) {
    int limit = exchange.intQuery("limit", 100, 1, 1000);
    String cursor = exchange.query("cursor");
    DeadLetter.Place after = cursor == null ? null : DeadLetter.Place.parse(cursor);
    if (cursor != null && after == null) {
      throw Rejection.expectation(
              ErrorCode.INVALID_CURSOR, "cursor", cursor, "the nextCursor of an earlier answer")
          .asException();
    }
    DeadLetters.Filter filter =
        new DeadLetters.Filter(exchange.query("topic"), exchange.query("code"));
    DeadLetterTopics.Page page = letters.list(exchange.caller().tenant(), filter, after, limit);
    JsonOut out = new JsonOut(4096);
    out.beginObject().name("deadLetters").beginArray();
    for (DeadLetter letter : page.letters()) {
      write(out, letter);
    }
    out.endArray();
    if (page.next() != null) {
      out.name("nextCursor").string(page.next().toString());
    }
    exchange.json(out.endObject());
  }

  private static void write(JsonOut out, DeadLetter letter) {
    out.beginObject();
    out.name("id").string(letter.place().toString());
    out.name("topic").string(letter.place().topic());
    out.name("code").string(letter.code());
    out.name("reason").string(letter.reason());
    if (letter.schemaVersion() != null) {
      out.name("schemaVersion").string(letter.schemaVersion());
    }
    out.name("at").timestamp(letter.at());
    out.name("attempt").number(letter.attempt());
    if (!letter.isWhole()) {
      out.name("cutFrom").number(letter.cutFrom());
    }
    text(out, "key", letter.key());
    text(out, "value", letter.value());
    out.endObject();
  }

  /** Bytes that are no text are left to Kafka's own tools. */
  private static void text(JsonOut out, String name, byte @Nullable [] bytes) {
    if (bytes == null) {
      return;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      int end = Math.min(text.length(), SHOWN_CHARACTERS);
      boolean half = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
      out.name(name).string(text.substring(0, half ? end - 1 : end));
    } catch (CharacterCodingException e) {
      // Not shown.
    }
  }

  void redrive(Exchange exchange) {
    Fields fields = exchange.fields();
    List<DeadLetter.Place> places = new ArrayList<>();
    boolean some = fields.has("ids");
    if (some) {
      for (String id : fields.strings("ids", MAX_IDS)) {
        DeadLetter.Place place = DeadLetter.Place.parse(id);
        if (place == null) {
          throw fields.wrong("ids", id, "ids of dead letters");
        }
        places.add(place);
      }
    }
    DeadLetters.Filter filter =
        new DeadLetters.Filter(fields.optionalString("topic"), fields.optionalString("code"));
    fields.done();
    if (some && (places.isEmpty() || filter.topic() != null || filter.code() != null)) {
      throw fields.wrong("ids", "none, or with others", "at least one id, or topic and code");
    }
    OnceOnly.Key key = RequestKey.forConfiguration(exchange);
    long tenant = exchange.caller().tenant();
    IntFunction<byte[]> answer =
        sent ->
            new JsonOut(64).beginObject().name("redriven").number(sent).endObject().toByteArray();
    BoardRoutes.send(
        exchange,
        some
            ? letters.redrive(tenant, places, key, answer)
            : letters.redrive(tenant, filter, key, answer));
  }
}
