package dev.laurel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.core.model.RejectedException;
import io.vertx.core.http.HttpMethod;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouteTableTest {
  private static final Handler NOTHING = _ -> {};

  private final RouteTable table =
      new RouteTable()
          .get("/", Kind.HOT, Access.PUBLIC, NOTHING)
          .get("/boards", Kind.HOT, Access.READ, NOTHING)
          .post("/boards", Kind.BLOCKING, Access.MANAGE, NOTHING)
          .get("/boards/search", Kind.HOT, Access.READ, NOTHING)
          .get("/boards/{UUID}", Kind.HOT, Access.READ, NOTHING)
          .get("/boards/{UUID}/top", Kind.HOT, Access.READ, NOTHING, "limit")
          .get("/boards/{UUID}/users/{userId}", Kind.HOT, Access.READ, NOTHING)
          .delete("/boards/{UUID}/users/{userId}", Kind.BLOCKING, Access.MANAGE, NOTHING);

  private RouteTable.@Nullable Match match(String path) {
    return table.match(path, 0, path.length());
  }

  /** "GET template [params]" or "none". */
  private String find(HttpMethod method, String path) {
    RouteTable.Match match = match(path);
    if (match == null) {
      return "none";
    }
    Route route = match.route(method);
    if (route == null) {
      return "allow " + match.allow();
    }
    return route + " " + Arrays.asList(match.params).subList(0, route.params().size());
  }

  @Test
  void match_literalsAndParameters_areFound() {
    assertThat(find(HttpMethod.GET, "/")).isEqualTo("GET / []");
    assertThat(find(HttpMethod.GET, "/boards")).isEqualTo("GET /boards []");
    assertThat(find(HttpMethod.POST, "/boards")).isEqualTo("POST /boards []");
    assertThat(find(HttpMethod.GET, "/boards/b1/top")).isEqualTo("GET /boards/{UUID}/top [b1]");
    assertThat(find(HttpMethod.DELETE, "/boards/b1/users/u"))
        .isEqualTo("DELETE /boards/{UUID}/users/{userId} [b1, u]");
  }

  @Test
  void match_literalBesideParameter_literalFirstThenParameter() {
    assertThat(find(HttpMethod.GET, "/boards/search")).isEqualTo("GET /boards/search []");
    assertThat(find(HttpMethod.GET, "/boards/search/top"))
        .isEqualTo("GET /boards/{UUID}/top [search]");
  }

  @Test
  void match_otherPaths_areNone() {
    for (String path :
        new String[] {
          "/board", "/boards/", "//", "/boards//top", "/boards/b/top/", "/boards/b/x"
        }) {
      assertThat(find(HttpMethod.GET, path)).as(path).isEqualTo("none");
    }
  }

  @Test
  void match_escapes_areDecodedPerSegment() {
    assertThat(find(HttpMethod.GET, "/boards/a%2Fb%20%E2%82%AC+/top"))
        .isEqualTo("GET /boards/{UUID}/top [a/b €+]");
    assertThat(find(HttpMethod.GET, "/%62oards/search")).isEqualTo("GET /boards/search []");
  }

  @Test
  void match_badEscapes_areRejected() {
    for (String segment : new String[] {"%", "%4", "%zz", "a%f", "%ff", "%c0%af", "%ed%a0%80"}) {
      assertThatThrownBy(() -> match("/boards/" + segment + "/top"))
          .as(segment)
          .isInstanceOf(RejectedException.class)
          .hasMessageContaining("percent-escapes");
    }
  }

  @Test
  void route_otherMethod_isAllowed() {
    assertThat(find(HttpMethod.PUT, "/boards")).isEqualTo("allow OPTIONS, GET, HEAD, POST");
    assertThat(find(HttpMethod.HEAD, "/boards")).isEqualTo("GET /boards []");
    assertThat(find(HttpMethod.valueOf("BREW"), "/boards/b/users/u"))
        .isEqualTo("allow OPTIONS, GET, HEAD, DELETE");
  }

  @Test
  void add_sameRouteTwice_isRefused() {
    assertThatThrownBy(() -> table.get("/boards/{id}/top", Kind.HOT, Access.READ, NOTHING))
        .hasMessage("GET /boards/{id}/top is served already, by GET /boards/{UUID}/top");
  }

  @Test
  void routes_list_isTheTable() {
    assertThat(table.routes()).hasSize(8);
    Route top = table.routes().get(5);
    assertThat(top.queries()).containsExactly("limit");
    assertThat(top.params()).containsExactly("UUID");
    assertThat(Objects.requireNonNull(match("/boards/x/top")).route(HttpMethod.GET)).isSameAs(top);
  }
}
