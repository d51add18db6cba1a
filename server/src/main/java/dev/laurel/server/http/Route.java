package dev.laurel.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * One line of the route table.
 *
 * @param template as written, e.g. {@code /api/v1/leaderboards/{UUID}/top}; the label in metrics
 * @param params names of the template's parameters, in order
 * @param queries the query parameters it understands; all others are refused by name
 */
public record Route(
    HttpMethod method,
    String template,
    Kind kind,
    Access access,
    Body body,
    Handler handler,
    List<String> params,
    List<String> queries,
    RouteMeters meters) {

  int indexOfParam(String name) {
    int index = params.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(name + " is not a parameter of " + template);
    }
    return index;
  }

  @Override
  public String toString() {
    return method + " " + template;
  }
}
