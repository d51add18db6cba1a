package dev.laurel.server.api;

import dev.laurel.core.access.Keys;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.ApiKey;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** API keys of the caller's tenant. */
final class KeyRoutes {
  private final Keys keys;

  KeyRoutes(Keys keys) {
    this.keys = keys;
  }

  void create(Exchange exchange) {
    Fields fields = exchange.fields();
    String name = fields.string("name");
    BoardDefinition.requireText("name", name);
    Set<ApiKey.Scope> scopes = scopes(fields.strings("scopes", ApiKey.Scope.values().length));
    fields.done();
    OnceOnly.Answer answer =
        keys.create(
            exchange.caller(),
            name,
            scopes,
            RequestKey.forConfiguration(exchange),
            (key, secret) -> {
              JsonOut out = new JsonOut(256);
              write(out, key, secret);
              return out.toByteArray();
            });
    BoardRoutes.send(exchange.status(201), answer);
  }

  private static Set<ApiKey.Scope> scopes(List<String> names) {
    Set<ApiKey.Scope> scopes = EnumSet.noneOf(ApiKey.Scope.class);
    for (String name : names) {
      ApiKey.Scope scope = null;
      for (ApiKey.Scope candidate : ApiKey.Scope.values()) {
        if (lower(candidate).equals(name)) {
          scope = candidate;
        }
      }
      if (scope == null || !scopes.add(scope)) {
        throw Rejection.invalid("scopes", name, "read | ingest | manage, each once").asException();
      }
    }
    if (scopes.isEmpty()) {
      throw Rejection.invalid("scopes", "none", "at least one of read, ingest, manage")
          .asException();
    }
    return scopes;
  }

  void list(Exchange exchange) {
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("keys").beginArray();
    for (ApiKey key : keys.list(exchange.caller())) {
      write(out, key, null);
    }
    exchange.json(out.endArray().endObject());
  }

  void revoke(Exchange exchange) {
    String text = exchange.pathParam("keyId");
    long id = Exchange.number("keyId", text, 1, Long.MAX_VALUE);
    OnceOnly.Answer answer =
        keys.revoke(exchange.caller(), id, RequestKey.forConfiguration(exchange));
    if (answer.replayed()) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.noContent();
  }

  private static void write(JsonOut out, ApiKey key, @Nullable String secret) {
    out.beginObject();
    out.name("keyId").number(key.id());
    out.name("name").string(key.name());
    out.name("scopes").value(key.scopes().stream().sorted().map(KeyRoutes::lower).toList());
    out.name("hint").string(key.hint());
    if (secret != null) {
      out.name("key").string(secret);
    }
    out.name("createdAt").timestamp(key.createdAt());
    out.name("createdBy").string(key.createdBy());
    Long revokedAt = key.revokedAt();
    if (revokedAt != null) {
      out.name("revokedAt").timestamp(revokedAt);
    }
    out.endObject();
  }

  private static String lower(ApiKey.Scope scope) {
    return scope.name().toLowerCase(Locale.ROOT);
  }
}
