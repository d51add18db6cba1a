package dev.laurel.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of contents of the API. Filled at start by one thread, then only read.
 *
 * <pre>{@code
 * table.get("/api/v1/leaderboards/{UUID}/top", Kind.HOT, Access.READ, handlers::top, "limit");
 * }</pre>
 *
 * <p>Inside: a tree with one level a segment. A literal beats a parameter, and if the literal leads
 * nowhere the parameter is tried, so {@code /boards/search} and {@code /boards/{id}/top} live side
 * by side. Nothing here is a regular expression, and finding a route allocates only the array of
 * its parameters and their strings.
 */
public final class RouteTable {
  private final Node root = new Node("");
  private final List<Route> routes = new ArrayList<>();

  public RouteTable get(
      String template, Kind kind, Access access, Handler handler, String... queries) {
    return add(HttpMethod.GET, template, kind, access, Body.NONE, handler, queries);
  }

  public RouteTable delete(
      String template, Kind kind, Access access, Handler handler, String... queries) {
    return add(HttpMethod.DELETE, template, kind, access, Body.NONE, handler, queries);
  }

  public RouteTable post(
      String template, Kind kind, Access access, Handler handler, String... queries) {
    return add(HttpMethod.POST, template, kind, access, Body.JSON, handler, queries);
  }

  public RouteTable put(
      String template, Kind kind, Access access, Handler handler, String... queries) {
    return add(HttpMethod.PUT, template, kind, access, Body.JSON, handler, queries);
  }

  public RouteTable patch(
      String template, Kind kind, Access access, Handler handler, String... queries) {
    return add(HttpMethod.PATCH, template, kind, access, Body.JSON, handler, queries);
  }

  /** For what the short forms do not say, such as a POST without a body. */
  public RouteTable add(
      HttpMethod method,
      String template,
      Kind kind,
      Access access,
      Body body,
      Handler handler,
      String... queries) {
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException(template + " (expected: a path that begins with /)");
    }
    Node node = root;
    List<String> params = new ArrayList<>();
    for (String segment : template.substring(1).split("/", -1)) {
      if (segment.startsWith("{") && segment.endsWith("}")) {
        params.add(segment.substring(1, segment.length() - 1));
        node = node.parameter();
      } else {
        node = node.literal(segment);
      }
    }
    Route route =
        new Route(
            method,
            template,
            kind,
            access,
            body,
            handler,
            List.copyOf(params),
            List.of(queries),
            new RouteMeters());
    node.put(route);
    routes.add(route);
    return this;
  }

  /** Every route, in the order of the table. */
  public List<Route> routes() {
    return List.copyOf(routes);
  }

  /**
   * What is at a path; null if nothing is. {@code target} from {@code start} to {@code end} is the
   * raw path.
   *
   * @throws dev.laurel.core.model.RejectedException if an escape in it is invalid
   */
  @Nullable Match match(String target, int start, int end) {
    Match match = new Match();
    return find(root, target, start, end, 0, match) ? match : null;
  }

  private static boolean find(
      Node node, String target, int slash, int end, int depth, Match match) {
    if (slash == end) {
      if (node.routes.length == 0) {
        return false;
      }
      match.node = node;
      return true;
    }
    int from = slash + 1;
    int to = target.indexOf('/', from);
    to = to < 0 || to > end ? end : to;
    String decoded = PercentDecoding.segment(target, from, to);
    for (Node child : node.literals) {
      boolean same =
          decoded == null
              ? child.name.length() == to - from
                  && target.regionMatches(from, child.name, 0, to - from)
              : child.name.equals(decoded);
      if (same && find(child, target, to, end, depth, match)) {
        return true;
      }
    }
    Node param = node.param;
    if (param == null || from == to) {
      return false;
    }
    match.set(depth, decoded == null ? target.substring(from, to) : decoded);
    return find(param, target, to, end, depth + 1, match);
  }

  /** The end of a path: the routes there, and the values of the parameters on the way. */
  static final class Match {
    private static final String[] NONE = {};

    private @Nullable Node node;
    String[] params = NONE;

    private void set(int index, String value) {
      if (params.length <= index) {
        params = Arrays.copyOf(params, index + 4);
      }
      params[index] = value;
    }

    /** The route for a method; HEAD is answered by GET. */
    @Nullable Route route(HttpMethod method) {
      HttpMethod wanted = HttpMethod.HEAD.equals(method) ? HttpMethod.GET : method;
      for (Route route : node().routes) {
        if (route.method().equals(wanted)) {
          return route;
        }
      }
      return null;
    }

    /** The value of the Allow header. */
    String allow() {
      StringBuilder allow = new StringBuilder("OPTIONS");
      for (Route route : node().routes) {
        allow.append(", ").append(route.method().name());
        if (HttpMethod.GET.equals(route.method())) {
          allow.append(", HEAD");
        }
      }
      return allow.toString();
    }

    /** The methods that browsers may use: those of routes that are not for services alone. */
    List<String> methodsForBrowsers() {
      return Arrays.stream(node().routes)
          .filter(route -> !route.access().isForServices())
          .map(route -> route.method().name())
          .toList();
    }

    private Node node() {
      Node found = node;
      if (found == null) {
        throw new IllegalStateException("no match");
      }
      return found;
    }
  }

  private static final class Node {
    final String name;
    Node[] literals = {};
    @Nullable Node param;
    Route[] routes = {};

    Node(String name) {
      this.name = name;
    }

    Node literal(String segment) {
      for (Node child : literals) {
        if (child.name.equals(segment)) {
          return child;
        }
      }
      Node added = new Node(segment);
      literals = Arrays.copyOf(literals, literals.length + 1);
      literals[literals.length - 1] = added;
      return added;
    }

    Node parameter() {
      Node existing = param;
      if (existing == null) {
        existing = new Node("{}");
        param = existing;
      }
      return existing;
    }

    void put(Route route) {
      for (Route other : routes) {
        if (other.method().equals(route.method())) {
          throw new IllegalArgumentException(route + " is served already, by " + other);
        }
      }
      routes = Arrays.copyOf(routes, routes.length + 1);
      routes[routes.length - 1] = route;
    }
  }
}
