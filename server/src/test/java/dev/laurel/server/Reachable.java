package dev.laurel.server;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A server that a test talks to, wherever it runs. */
public interface Reachable {
  /** A request without a key. */
  HttpRequest.Builder anonymous(String path);

  HttpResponse<String> send(HttpRequest.Builder request);

  /** A connection for what no well-behaved client sends. */
  Socket connect() throws IOException;
}
