package dev.laurel.server.api;

import dev.laurel.core.access.Origins;
import dev.laurel.core.model.Rejection;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.List;
import java.util.Set;

/** Whose pages may read the answers of the caller's tenant. */
final class CorsRoutes {
  private final Origins origins;

  CorsRoutes(Origins origins) {
    this.origins = origins;
  }

  void get(Exchange exchange) {
    exchange.json(write(origins.list(exchange.caller().tenant())));
  }

  void put(Exchange exchange) {
    Fields fields = exchange.fields();
    if (!fields.has("origins")) {
      throw Rejection.invalid("origins", "missing", "an array of origins").asException();
    }
    List<String> wanted = fields.strings("origins", Origins.MOST);
    fields.done();
    BoardRoutes.send(
        exchange,
        origins.replace(
            exchange.caller().tenant(),
            wanted,
            RequestKey.forConfiguration(exchange),
            now -> write(now).toByteArray()));
  }

  private static JsonOut write(Set<String> now) {
    JsonOut out = new JsonOut(256);
    out.beginObject();
    out.name("origins").value(List.copyOf(now));
    return out.endObject();
  }
}
