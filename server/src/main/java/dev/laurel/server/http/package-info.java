/**
 * HTTP without an opinion about leaderboards: routes, requests, answers, errors, metrics. Start
 * with {@link dev.laurel.server.http.RouteTable} (what is served), then {@link
 * dev.laurel.server.http.Exchange} (what a handler sees), then {@link
 * dev.laurel.server.http.HttpLoop} (the path of a request, top to bottom).
 */
@NullMarked
package dev.laurel.server.http;

import org.jspecify.annotations.NullMarked;
