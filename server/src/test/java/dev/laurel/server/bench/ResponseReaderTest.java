package dev.laurel.server.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
  private final List<String> heard = new ArrayList<>();
  private final ResponseReader reader =
      new ResponseReader(
          new ResponseReader.Listener() {
            @Override
            public void begun(int status, byte[] bytes, int from, int to, long length) {
              heard.add("begun " + status + " of " + length);
            }

            @Override
            public void ended(int status, long size) {
              heard.add("ended " + status + " of " + size);
            }
          });

  private void feed(String text, int at) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    byte[] scratch = new byte[ResponseReader.SCRATCH];
    for (int i = 0; i < bytes.length; i += at) {
      int some = Math.min(at, bytes.length - i);
      reader.read(Unpooled.wrappedBuffer(bytes, i, some), scratch);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 40, 41, 42, 10_000})
  void read_cutAnywhere_everyAnswerOnce(int at) {
    String first = "HTTP/1.1 200 OK\r\nContent-Type: x\r\ncontent-length: 4\r\n\r\nHTTP";
    String second = "HTTP/1.1 404 Not Found\r\nConnection: y\r\nContent-Length: 0\r\n\r\n";
    String third = "HTTP/1.1 204 No Content\r\n\r\n";
    feed(first + second + third, at);
    assertThat(heard)
        .containsExactly(
            "begun 200 of 4",
            "ended 200 of " + first.length(),
            "begun 404 of 0",
            "ended 404 of " + second.length(),
            "begun 204 of 0",
            "ended 204 of " + third.length());
  }

  @Test
  void read_bodyLargerThanTheScratch_isSkipped() {
    String body = "x".repeat(300_000);
    feed("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + body, 150_000);
    assertThat(heard).containsExactly("begun 200 of 300000", "ended 200 of 300043");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9.2 and more\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n"
      })
  void read_notAsLaurelSpeaks_isRefused(String text) {
    assertThatThrownBy(() -> feed(text, 1000))
        .isInstanceOf(ResponseReader.UnreadableException.class);
  }
}
