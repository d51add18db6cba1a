package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.TestServer;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A cursor tells nobody who the last row of a page is. */
class SealedCursorsTest {
  @Test
  void nextCursor_ofAHiddenUserOnManyBoards_hasNothingInCommon() {
    TestServer server = TestServer.start();
    try {
      Api api = Api.admin(server);
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        String board = api.board("b" + i);
        api.score(board, "vic", "'score':5").is(200);
        api.score(board, "zoe", "'score':1").is(200);
        String cursor = api.get(board + "/top?limit=1").is(200).at("/nextCursor");
        byte[] bytes = Base64.getUrlDecoder().decode(cursor);
        for (int at = 12; at + 4 <= bytes.length; at++) {
          // Any four bytes at the same place: a user's number would be there each time.
          seen.add(at + ":" + java.util.HexFormat.of().formatHex(bytes, at, at + 4));
        }
      }
      assertThat(seen).hasSizeGreaterThan(20 * 40);
      // It goes on after a restart, with another process' counter.
      String cursor = api.get(Api.BOARDS + "/b1/top?limit=1").at("/nextCursor");
      server = server.restart();
      assertThat(
              Api.admin(server)
                  .get(Api.BOARDS + "/b1/top?limit=1&cursor=" + cursor)
                  .is(200)
                  .all("/users", "userId"))
          .containsExactly("zoe");
    } finally {
      server.close();
    }
  }
}
