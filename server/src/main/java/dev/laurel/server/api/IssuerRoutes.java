package dev.laurel.server.api;

import dev.laurel.core.access.Issuers;
import dev.laurel.core.access.Principal;
import dev.laurel.core.board.BoardDefinition;
import dev.laurel.core.board.Boards;
import dev.laurel.core.model.Rejection;
import dev.laurel.core.store.Issuer;
import dev.laurel.core.store.OnceOnly;
import dev.laurel.server.http.Exchange;
import dev.laurel.server.http.Fields;
import dev.laurel.server.http.JsonOut;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whose tokens the caller's tenant accepts. */
final class IssuerRoutes {
  private static final int MAX_KEY_SET = 65_536;

  private final Issuers issuers;
  private final Boards boards;
  private final Function<String, @Nullable String> keySetProblem;
  private final boolean plainKeys;

  /**
   * @param keySetProblem what is wrong with a key set, null if nothing is
   * @param plainKeys whether keys may come without TLS, where anyone in between can change them
   */
  IssuerRoutes(
      Issuers issuers,
      Boards boards,
      Function<String, @Nullable String> keySetProblem,
      boolean plainKeys) {
    this.issuers = issuers;
    this.boards = boards;
    this.keySetProblem = keySetProblem;
    this.plainKeys = plainKeys;
  }

  void create(Exchange exchange) {
    Principal caller = exchange.caller();
    caller.requireLasting("issuers");
    Fields fields = exchange.fields();
    String issuer = fields.string("issuer");
    String audience = fields.string("audience");
    String url = fields.optionalString("jwksUrl");
    String keys = fields.optionalRawObject("jwks", MAX_KEY_SET);
    String userPrefix = fields.optionalString("userPrefix");
    boolean chosen = fields.has("algorithms");
    Set<Issuer.Algorithm> algorithms = algorithms(fields.strings("algorithms", 2));
    fields.done();
    BoardDefinition.requireText("issuer", issuer);
    BoardDefinition.requireText("audience", audience);
    if (chosen && algorithms.isEmpty()) {
      throw Rejection.invalid("algorithms", "none", "RS256 or ES256, or both").asException();
    }
    if ((url == null) == (keys == null)) {
      throw Rejection.invalid("jwksUrl, jwks", "both or none", "one of them").asException();
    }
    if (url != null) {
      requireUrl(url);
    }
    if (keys != null) {
      String problem = keySetProblem.apply(keys);
      if (problem != null) {
        throw Rejection.invalid("jwks", "not usable", problem).asException();
      }
    }
    OnceOnly.Answer answer =
        issuers.create(
            new Issuer(
                0,
                caller.tenant(),
                issuer,
                audience,
                url,
                keys,
                chosen ? algorithms : EnumSet.allOf(Issuer.Algorithm.class),
                "",
                0),
            userPrefix,
            RequestKey.forConfiguration(exchange),
            made -> {
              JsonOut out = new JsonOut(256);
              write(out, made);
              return out.toByteArray();
            });
    // Users come next, and the first thing that they ask for is the board.
    boards.global(caller.tenant(), caller.name());
    BoardRoutes.send(exchange.status(201), answer);
  }

  private static Set<Issuer.Algorithm> algorithms(List<String> names) {
    EnumSet<Issuer.Algorithm> algorithms = EnumSet.noneOf(Issuer.Algorithm.class);
    for (String name : names) {
      switch (name) {
        case "RS256" -> algorithms.add(Issuer.Algorithm.RS256);
        case "ES256" -> algorithms.add(Issuer.Algorithm.ES256);
        default ->
            throw Rejection.invalid("algorithms", name, "RS256 or ES256, or both").asException();
      }
    }
    return algorithms;
  }

  private void requireUrl(String url) {
    try {
      URI uri = new URI(url);
      if (url.length() <= 2000
          && uri.getHost() != null
          && ("https".equals(uri.getScheme()) || (plainKeys && "http".equals(uri.getScheme())))) {
        return;
      }
    } catch (URISyntaxException e) {
      // Refused below.
    }
    throw Rejection.invalid(
            "jwksUrl", url, plainKeys ? "an http or https address" : "an https address")
        .asException();
  }

  void list(Exchange exchange) {
    JsonOut out = new JsonOut(1024);
    out.beginObject().name("issuers").beginArray();
    for (Issuer issuer : issuers.list(exchange.caller().tenant())) {
      write(out, issuer);
    }
    exchange.json(out.endArray().endObject());
  }

  void delete(Exchange exchange) {
    long id = Exchange.number("issuerId", exchange.pathParam("issuerId"), 1, Long.MAX_VALUE);
    OnceOnly.Answer answer =
        issuers.delete(exchange.caller().tenant(), id, RequestKey.forConfiguration(exchange));
    if (answer.replayed()) {
      exchange.header(RequestKey.REPLAYED, "true");
    }
    exchange.noContent();
  }

  private static void write(JsonOut out, Issuer issuer) {
    out.beginObject();
    out.name("issuerId").number(issuer.id());
    out.name("issuer").string(issuer.issuer());
    out.name("audience").string(issuer.audience());
    if (issuer.jwksUrl() != null) {
      out.name("jwksUrl").string(issuer.jwksUrl());
    }
    if (issuer.keys() != null) {
      out.name("jwks").raw(issuer.keys());
    }
    out.name("algorithms").value(issuer.algorithms().stream().sorted().map(Enum::name).toList());
    out.name("userPrefix").string(issuer.userPrefix());
    out.name("createdAt").timestamp(issuer.createdAt());
    out.endObject();
  }
}
