package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.model.UserIds;
import dev.laurel.server.TestServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ranks out: pages, cursors, neighbours, friends, ties and the order itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RankingApiTest {
  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @BeforeAll
  void start() {
    server = open();
    api = Api.admin(server);
  }

  TestServer open() {
    return TestServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Lines {@code "id score minute"}, all at once. */
  private String filled(String uuid, List<String> lines, String... fields) {
    String board = api.board(uuid, fields);
    fill(board, lines);
    return board;
  }

  private void fill(String board, List<String> lines) {
    List<String> scores = new ArrayList<>();
    for (String line : lines) {
      String[] parts = line.split(" ", -1);
      scores.add(
          "{'userId':'%s','score':%s,'timestamp':'2024-01-15T10:%02d:00Z'}"
              .formatted(parts[0], parts[1], Integer.parseInt(parts[2])));
    }
    Answer answer = api.post(board + "/scores", "{'scores':[" + String.join(",", scores) + "]}");
    assertThat(answer.is(200).all("/results", "outcome")).containsOnly("APPLIED");
  }

  private static List<String> numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "u%04d %d 0".formatted(i, count - i)).toList();
  }

  @Test
  void top_limit_isRequiredAndBounded() {
    String board = filled("limits", numbered(30));
    assertThat(api.get(board + "/top").refused(400, "VALIDATION_ERROR").message())
        .contains("limit");
    for (String limit : List.of("0", "1001", "-1", "x", "", "1.0", "+1", "%D9%A1", "99999999999")) {
      api.get(board + "/top?limit=" + limit).refused(400, "VALIDATION_ERROR");
    }
    assertThat(api.get(board + "/top?limit=1").is(200).all("/users", "userId"))
        .containsExactly("u0000");
    assertThat(api.get(board + "/top?limit=1000").is(200).json().at("/users").size()).isEqualTo(30);
    Answer page = api.get(board + "/top?limit=3&offset=10").is(200);
    assertThat(page.all("/users", "rank")).containsExactly("11", "12", "13");
    assertThat(page.number("/totalUsers")).isEqualTo(30);
    for (String offset : List.of("30", "2147483648", "9223372036854775807")) {
      Answer beyond = api.get(board + "/top?limit=1000&offset=" + offset).is(200);
      assertThat(beyond.json().at("/users").size()).isZero();
      assertThat(beyond.json().propertyNames()).doesNotContain("nextCursor");
    }
    api.get(board + "/top?limit=1&offset=-1").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void top_cursor_endsWithTheBoard() {
    String board = filled("cursor", numbered(10));
    List<String> seen = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      Answer page = api.get(board + "/top?limit=4" + cursor).is(200);
      seen.addAll(page.all("/users", "userId"));
      cursor = page.at("/nextCursor").isEmpty() ? "" : "&cursor=" + page.at("/nextCursor");
      pages++;
    } while (!cursor.isEmpty());
    assertThat(pages).isEqualTo(3);
    assertThat(seen).isEqualTo(numbered(10).stream().map(l -> l.split(" ", -1)[0]).toList());
    String first = api.get(board + "/top?limit=4").at("/nextCursor");
    api.get(board + "/top?limit=4&offset=0&cursor=" + first).refused(400, "VALIDATION_ERROR");
    String other = filled("cursor-2", numbered(10));
    api.get(other + "/top?limit=4&cursor=" + first).refused(400, "INVALID_CURSOR");
    for (String bad : List.of("", "x", "%00", first.substring(1), first + "A", "A".repeat(86))) {
      api.get(board + "/top?limit=4&cursor=" + bad).refused(400, "INVALID_CURSOR");
    }
  }

  /** Whoever stands still is seen once, whatever the others do between and during the pages. */
  @Test
  void top_cursorWhileOthersMove_showsWhoStandsStillOnce() throws InterruptedException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      lines.add("still%03d %d 0".formatted(i, 10 * i));
      lines.add("mover%03d %d 0".formatted(i, random.nextInt(2000)));
    }
    Collections.shuffle(lines, random);
    String board = filled("moving", lines);
    AtomicBoolean done = new AtomicBoolean();
    Thread rival =
        Thread.startVirtualThread(
            () -> {
              Random own = new Random(seed + 1);
              while (!done.get()) {
                api.score(
                    board, "mover%03d".formatted(own.nextInt(100)), "'score':" + own.nextInt(2000));
              }
            });
    try {
      for (int round = 0; round < 3; round++) {
        List<String> still = new ArrayList<>();
        String cursor = "";
        do {
          Answer page = api.get(board + "/top?limit=" + (1 + random.nextInt(40)) + cursor).is(200);
          page.all("/users", "userId").stream()
              .filter(u -> u.startsWith("still"))
              .forEach(still::add);
          cursor = page.at("/nextCursor").isEmpty() ? "" : "&cursor=" + page.at("/nextCursor");
          // The very row a cursor points at may leave, and one may come above or below it.
          String last = page.all("/users", "userId").getLast();
          if (last.startsWith("mover") && api.delete(board + "/users/" + last).status() == 200) {
            api.score(board, last, "'score':" + random.nextInt(2000)).is(200);
          }
        } while (!cursor.isEmpty());
        List<String> expected =
            IntStream.range(0, 200).mapToObj(i -> "still%03d".formatted(199 - i)).toList();
        assertThat(still).as("seed " + seed).isEqualTo(expected);
      }
    } finally {
      done.set(true);
      rival.join();
    }
  }

  @Test
  void around_window_isClippedAtTheEdges() {
    String board = filled("around", numbered(20));
    Answer middle = api.get(board + "/users/u0010/around").is(200);
    assertThat(middle.json().propertyNames())
        .containsExactly("UUID", "user", "above", "below", "totalUsers");
    assertThat(middle.number("/user/rank")).isEqualTo(11);
    assertThat(middle.all("/above", "rank")).containsExactly("6", "7", "8", "9", "10");
    assertThat(middle.all("/below", "rank")).containsExactly("12", "13", "14", "15", "16");
    Answer first = api.get(board + "/users/u0000/around?window=2").is(200);
    assertThat(first.json().at("/above").size()).isZero();
    assertThat(first.all("/below", "userId")).containsExactly("u0001", "u0002");
    Answer all = api.get(board + "/users/u0005/around?window=500").is(200);
    assertThat(all.json().at("/above").size() + all.json().at("/below").size()).isEqualTo(19);
    assertThat(api.get(board + "/users/u0005/around?window=0").is(200).json().at("/below").size())
        .isZero();
    api.get(board + "/users/u0005/around?window=501").refused(400, "VALIDATION_ERROR");
    api.get(board + "/users/nobody/around").refused(404, "USER_NOT_FOUND");
    api.get(board + "/users/nobody/rank").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void ranks_threeTies_rankAmongAllAndAmongFriends() {
    List<String> lines = List.of("a 9 1", "b 8 1", "c 8 2", "d 8 3", "e 7 1", "f 6 1", "g 6 2");
    String[][] expected = {
      {"EARLIEST_FIRST", "3 4 5 7", "1 2 3 4"},
      {"SHARED", "2 2 5 6", "1 1 3 4"},
      {"DENSE", "2 2 3 4", "1 1 2 3"}
    };
    for (String[] each : expected) {
      String board = filled("ties-" + each[0], lines, "'ties':'" + each[0] + "'");
      Answer friends =
          api.post(board + "/ranks", "{'userIds':['g','nobody','d','e','c','d','no one']}").is(200);
      assertThat(friends.all("/users", "userId")).containsExactly("c", "d", "e", "g");
      assertThat(String.join(" ", friends.all("/users", "rank"))).isEqualTo(each[1]);
      assertThat(String.join(" ", friends.all("/users", "rankAmong"))).isEqualTo(each[2]);
      assertThat(friends.json().at("/missing").toString()).isEqualTo("[\"nobody\",\"no one\"]");
      assertThat(friends.number("/totalUsers")).isEqualTo(7);
      List<String> pages = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        Answer page = api.get(board + "/top?limit=1&offset=" + i).is(200);
        pages.add(page.at("/users/0/rank"));
        String user = page.at("/users/0/userId");
        Answer rank = api.get(board + "/users/" + user + "/rank").is(200);
        assertThat(rank.at("/rank")).isEqualTo(pages.getLast());
        assertThat(api.get(board + "/users/" + user + "/around").at("/user/rank"))
            .isEqualTo(pages.getLast());
      }
      assertThat(api.get(board + "/top?limit=9").all("/users", "rank")).isEqualTo(pages);
    }
  }

  @Test
  void ranks_howMany_are1To1000() {
    String board = filled("friends", numbered(3));
    api.post(board + "/ranks", "{'userIds':[]}").refused(400, "VALIDATION_ERROR");
    String thousand = String.join(",", Collections.nCopies(999, "'u0001'"));
    Answer many = api.post(board + "/ranks", "{'userIds':[" + thousand + ",'u0000']}").is(200);
    assertThat(many.all("/users", "userId")).containsExactly("u0000", "u0001");
    api.post(board + "/ranks", "{'userIds':[" + thousand + ",'a','b']}")
        .refused(400, "VALIDATION_ERROR");
    api.post(board + "/ranks", "{'userIds':['a',5]}").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void rank_percentile_isHowManyOf100AreNotBetter() {
    List<String> lines = List.of("a 9 1", "b 8 1", "c 8 2", "d 7 1");
    for (String ties : List.of("SHARED", "DENSE")) {
      String board = filled("percent-" + ties, lines, "'ties':'" + ties + "'");
      assertThat(api.get(board + "/users/a/rank").at("/percentile")).isEqualTo("100");
      assertThat(api.get(board + "/users/b/rank").at("/percentile")).isEqualTo("75");
      assertThat(api.get(board + "/users/c/rank").at("/percentile")).isEqualTo("75");
      assertThat(api.get(board + "/users/d/rank").at("/percentile")).isEqualTo("25");
    }
    String three = filled("percent-3", List.of("a 3 0", "b 2 0", "c 1 0"));
    assertThat(api.get(three + "/users/b/rank").at("/percentile")).isEqualTo("66.67");
  }

  @Test
  void lowestFirst_ranksAndBest_goTheOtherWay() {
    String board =
        filled(
            "golf",
            List.of("a 72 1", "b 68 2", "c 68 1"),
            "'order':'LOWEST_FIRST'",
            "'update':'BEST'");
    assertThat(api.get(board + "/top?limit=9").all("/users", "userId"))
        .containsExactly("c", "b", "a");
    Answer worse = api.score(board, "c", "'score':70").is(200);
    assertThat(worse.at("/outcome") + worse.at("/score")).isEqualTo("UNCHANGED68");
    Answer better = api.score(board, "a", "'score':67").is(200);
    assertThat(better.at("/outcome") + better.at("/rank")).isEqualTo("APPLIED1");
  }

  /** By time, then by the bytes of UTF-8, where U+FF01 is before an astral character. */
  @Test
  void order_thousandEqualScores_isByTimeThenById() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String[] alphabet = {"a", "B", "z", "0", "-", "\u00e9", "\u20ac", "\uff01", "\ud83c\udfc6"};
    List<String[]> users = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      StringBuilder id = new StringBuilder();
      for (int k = 1 + random.nextInt(3); k > 0; k--) {
        id.append(alphabet[random.nextInt(alphabet.length)]);
      }
      // The dot keeps apart what else could be the same id by chance: a + a5, aa + 5.
      users.add(new String[] {id + "." + i, Integer.toString(random.nextInt(5))});
    }
    String board =
        filled("equal", users.stream().map(u -> u[0] + " 7 " + u[1]).toList(), "'decimals':0");
    users.sort(
        Comparator.<String[], String>comparing(u -> u[1])
            .thenComparing(u -> u[0], UserIds::compare));
    List<String> expected = users.stream().map(u -> u[0]).toList();
    Answer top = api.get(board + "/top?limit=1000").is(200);
    assertThat(top.all("/users", "userId")).as("seed " + seed).isEqualTo(expected);
    assertThat(top.all("/users", "rank"))
        .isEqualTo(IntStream.rangeClosed(1, 1000).mapToObj(Integer::toString).toList());
    for (int i = 0; i < 1000; i += 97) {
      assertThat(api.get(board + "/users/" + Api.path(expected.get(i)) + "/rank").number("/rank"))
          .isEqualTo(i + 1);
    }
  }
}
