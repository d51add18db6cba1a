package dev.laurel.benchmarks.attacks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

/** What somebody does to the server, again and again, on several connections at once. */
enum Attack {
  PINGS("WebSockets that send pings and do not read", 8) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.stranger()) {
        wire.send(
            ("GET " + OPEN + "/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n")
                + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Version: 13\r\n\r\n");
        wire.answer();
        for (int i = 0; i < 2000 && !target.isOver(); i++) {
          wire.send(PING_FRAMES);
        }
      }
    }
  },

  BODIES("bodies of a megabyte that do not end", 48) {
    @Override
    void once(Target target) throws IOException {
      boolean known = ThreadLocalRandom.current().nextBoolean();
      try (Wire wire = known ? target.tenant() : target.stranger()) {
        wire.send(Wire.head("POST", OPEN + "/ranks", known ? target.key() : "", 1 << 20));
        wire.send(BLANKS);
        wire.answer();
      }
    }
  },

  HEADS("heads that come byte by byte", 200) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.stranger()) {
        wire.send("GET / HTTP/1.1\r\nX: ");
        while (!target.isOver()) {
          wire.send("x");
          target.pause(500);
        }
      }
    }
  },

  TOKENS("tokens of an issuer whose keys never come", 64) {
    @Override
    void once(Target target) throws IOException {
      Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
      String head =
          "{\"alg\":\"RS256\",\"kid\":\"k%d\"}".formatted(ThreadLocalRandom.current().nextInt());
      String claims =
          "{\"iss\":\"https://evil.example\",\"aud\":\"evil\",\"sub\":\"x\",\"exp\":4102444800}";
      try (Wire wire = target.stranger()) {
        wire.send(
            "GET /v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s.%s.%s\r\n\r\n"
                .formatted(
                    base64.encodeToString(head.getBytes(StandardCharsets.US_ASCII)),
                    base64.encodeToString(claims.getBytes(StandardCharsets.US_ASCII)),
                    base64.encodeToString(new byte[256])));
        wire.answer();
      }
    }
  },

  GUESSES("keys that are guessed, on streams too", 8) {
    @Override
    void once(Target target) throws IOException {
      String path = ThreadLocalRandom.current().nextBoolean() ? "/stream" : "/top?limit=10";
      try (Wire wire = target.stranger()) {
        String key = "guess-" + ThreadLocalRandom.current().nextLong();
        wire.call("GET", "/api/v1/leaderboards/fair" + path, key, "");
      }
    }
  },

  DEEP("pages of a thousand, anywhere", 8) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.tenant()) {
        for (int i = 0; i < 20 && !target.isOver(); i++) {
          long offset = ThreadLocalRandom.current().nextLong(2L * Target.USERS);
          wire.call("GET", OPEN + "/top?limit=1000&offset=" + offset, target.key(), "");
          target.pause(5);
        }
      }
    }
  },

  EXPORTS("exports that are read slowly", 64) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.tenant()) {
        wire.send(Wire.head("GET", OPEN + "/export", target.key(), 0));
        byte[] some = new byte[512];
        while (!target.isOver() && wire.take(some) >= 0) {
          target.pause(200);
        }
      }
    }
  },

  UNREAD("answers that nobody reads", 32) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.stranger()) {
        String ask = Wire.head("GET", OPEN + "/top?limit=1000", "", 0);
        for (int i = 0; i < 500 && !target.isOver(); i++) {
          wire.send(ask);
        }
        target.pause(5000);
      }
    }
  },

  LEAVERS("trials and dry runs whose callers leave", 8) {
    @Override
    void once(Target target) throws IOException {
      boolean trial = ThreadLocalRandom.current().nextBoolean();
      String json =
          trial
              ? "{\"rules\":[{\"rule\":\"BOARD_Z_SCORE\",\"threshold\":3,\"outcome\":\"FLAG\"}]}"
              : "{\"dryRun\":true,\"source\":{\"eventIdPrefix\":\"none\",\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2100-01-01T00:00:00Z\"}}";
      try (Wire wire = target.tenant()) {
        String path = OPEN + (trial ? "/guard/try" : "/reverts");
        wire.send(Wire.head("POST", path, target.key(), json.length()) + json);
        target.pause(20);
      }
    }
  },

  BOARDS("a board of a game for every score", 4) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.tenant()) {
        wire.call(
            "POST",
            "/v1/games/g" + ThreadLocalRandom.current().nextInt(1_000_000) + "/scores",
            target.key(),
            "{\"user_id\":\"x\",\"score\":1}");
      }
    }
  },

  BATCHES("batches of a megabyte", 8) {
    @Override
    void once(Target target) throws IOException {
      try (Wire wire = target.tenant()) {
        wire.call("POST", OPEN + "/scores", target.key(), BATCH);
      }
    }
  };

  /** A public board of the tenant that attacks. */
  static final String OPEN = "/api/v1/leaderboards/open";

  private static final byte[] PING_FRAMES = pings();
  private static final byte[] BLANKS =
      " ".repeat((1 << 20) - 1).getBytes(StandardCharsets.US_ASCII);
  private static final String BATCH = batch();

  final String what;
  final int connections;

  Attack(String what, int connections) {
    this.what = what;
    this.connections = connections;
  }

  private static byte[] pings() {
    byte[] many = new byte[500 * 131];
    for (int i = 0; i < many.length; i += 131) {
      many[i] = (byte) 0x89;
      many[i + 1] = (byte) (0x80 | 125);
    }
    return many;
  }

  private static String batch() {
    StringBuilder json = new StringBuilder("{\"scores\":[");
    for (int i = 0; i < 250; i++) {
      json.append(i == 0 ? "" : ",").append("{\"userId\":\"u").append(i * 79);
      json.append("\",\"score\":1,\"metadata\":{\"a\":\"").append("x".repeat(3900)).append("\"}}");
    }
    return json.append("]}").toString();
  }

  /** Until it is over, or the server ends it. */
  abstract void once(Target target) throws IOException;
}
