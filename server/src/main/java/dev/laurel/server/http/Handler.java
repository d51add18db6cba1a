package dev.laurel.server.http;

/**
 * Answers one exchange. An exception becomes the error envelope: {@link
 * dev.laurel.core.model.RejectedException} the answer it carries, anything else a 500.
 */
@FunctionalInterface
public interface Handler {
  void handle(Exchange exchange) throws Exception;
}
