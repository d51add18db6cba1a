package dev.laurel.server.live;

import dev.laurel.server.http.JsonOut;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How events become the very bytes of a connection. They are the same for everyone: chunks and
 * frames from a server have no key or counter in them, so they are made once.
 */
public enum Framing {
  /** Server-Sent Events over HTTP/1.1. */
  CHUNKED,
  /** The same over HTTP/1.0, as some proxies speak it: the end of the connection is the end. */
  PLAIN,
  WEBSOCKET;

  private static final int TEXT = 0x81;
  private static final int CLOSE = 0x88;
  private static final int PING = 0x89;

  /** The status of a WebSocket that ends because the server goes away. */
  private static final byte[] GOING_AWAY = {1001 >> 8, (byte) 1001};

  /** The status of a WebSocket whose reader may have no more. */
  private static final byte[] POLICY = {1008 >> 8, (byte) 1008};

  /**
   * One event.
   *
   * @param id null for one after which nobody may resume
   */
  public record Event(String name, JsonOut data, @Nullable String id) {}

  /**
   * @param stream which of the streams of a connection they are of; null if it has only one
   */
  public byte[] encode(List<Event> events, @Nullable String stream) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Event event : events) {
      if (this == WEBSOCKET) {
        out.writeBytes(frame(TEXT, whole(event, null)));
      } else if (stream != null) {
        // Ids are of one stream each: one of the connection's own would say nothing.
        text(out, "data: ");
        out.writeBytes(whole(event, stream));
        text(out, "\n\n");
      } else {
        if (event.id != null) {
          text(out, "id: " + event.id + "\n");
        }
        text(out, "event: " + event.name + "\ndata: ");
        out.writeBytes(event.data.toByteArray());
        text(out, "\n\n");
      }
    }
    return framed(out.toByteArray());
  }

  private static byte[] whole(Event event, @Nullable String stream) {
    JsonOut json = new JsonOut(64 + event.data.length());
    json.beginObject();
    if (stream != null) {
      json.name("stream").string(stream);
    }
    json.name("event").string(event.name);
    if (event.id != null) {
      json.name("id").string(event.id);
    }
    return json.name("data").raw(event.data.toByteArray()).endObject().toByteArray();
  }

  /** What is sent to see whether somebody is there, and to keep proxies from closing. */
  byte[] heartbeat() {
    return this == WEBSOCKET ? frame(PING, new byte[0]) : framed(bytes(":\n\n"));
  }

  /** When to come back after the connection was lost; WebSockets have no words for it. */
  byte[] retry(int millis) {
    return this == WEBSOCKET ? new byte[0] : framed(bytes("retry: " + millis + "\n\n"));
  }

  byte[] end() {
    return switch (this) {
      case CHUNKED -> bytes("0\r\n\r\n");
      case PLAIN -> new byte[0];
      case WEBSOCKET -> frame(CLOSE, GOING_AWAY);
    };
  }

  /** The end for one who need not come back with the same credentials. */
  byte[] refusal() {
    return this == WEBSOCKET ? frame(CLOSE, POLICY) : end();
  }

  private byte[] framed(byte[] content) {
    if (this != CHUNKED) {
      return content;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 12);
    text(out, Integer.toHexString(content.length) + "\r\n");
    out.writeBytes(content);
    text(out, "\r\n");
    return out.toByteArray();
  }

  /** RFC 6455, 5.2: without a mask, as servers send them. */
  private static byte[] frame(int first, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length + 10);
    out.write(first);
    if (payload.length < 126) {
      out.write(payload.length);
    } else if (payload.length < 1 << 16) {
      out.write(126);
      out.write(payload.length >> 8);
      out.write(payload.length);
    } else {
      out.write(127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) payload.length >> shift));
      }
    }
    out.writeBytes(payload);
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.writeBytes(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
