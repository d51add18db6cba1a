package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A board with three places and many more players: what every surface says of those outside. */
class CapacityApiTest {
  private static final int USERS = 300;
  private static final String BOARD = Api.BOARDS + "/game:top";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  /** {@code u299} is the best; {@code u296} the first outside, {@code u0} far from any place. */
  @BeforeEach
  void start() {
    server = TestServer.start(clock);
    api = Api.admin(server);
    api.board(
        "game:top",
        "'update':'BEST'",
        "'decimals':0",
        "'windows':[{'schedule':'daily','capacity':3,'prizes':[{'name':'all','percent':100}]}]");
    List<String> scores = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      scores.add("{'userId':'u%d','score':%d}".formatted(i, 10 * i));
    }
    api.post(BOARD + "/scores", "{'scores':[" + String.join(",", scores) + "]}").is(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void assertOutside(Answer answer, String at, String score) {
    assertThat(answer.at(at + "/outside")).isEqualTo("true");
    assertThat(answer.at(at + "/rank")).isEmpty();
    assertThat(answer.at(at + "/score")).isEqualTo(score);
  }

  @Test
  void top_ofThreePlaces_endsWithTheThird() {
    Answer board = api.get(BOARD).is(200);
    assertThat(board.number("/windows/0/capacity")).isEqualTo(3);
    assertThat(board.number("/totalUsers")).isEqualTo(3);
    Answer top = api.get(BOARD + "/top?limit=1000").is(200);
    assertThat(top.all("/users", "userId")).containsExactly("u299", "u298", "u297");
    assertThat(top.number("/totalUsers")).isEqualTo(3);
    assertThat(top.at("/nextCursor")).isEmpty();
    String cursor = api.get(BOARD + "/top?limit=2").is(200).at("/nextCursor");
    Answer rest = api.get(BOARD + "/top?limit=2&cursor=" + cursor).is(200);
    assertThat(rest.all("/users", "userId")).containsExactly("u297");
    assertThat(rest.at("/nextCursor")).isEmpty();
    assertThat(api.get(BOARD + "/top?limit=9&offset=3").is(200).json().at("/users").size())
        .isZero();
  }

  @Test
  void rank_ofUsersOutside_isSaidWithTheirScore() {
    assertThat(api.get(BOARD + "/users/u297/rank").is(200).number("/rank")).isEqualTo(3);
    Answer next = api.get(BOARD + "/users/u296/rank").is(200);
    assertOutside(next, "", "2960");
    assertThat(next.at("/percentile")).isEmpty();
    assertThat(next.number("/totalUsers")).isEqualTo(3);
    assertThat(next.at("/timestamp")).isEqualTo("2026-11-14T12:00:00Z");
    assertOutside(api.get(BOARD + "/users/u0/rank").is(200), "", "0");
    api.get(BOARD + "/users/nobody/rank").refused(404, "USER_NOT_FOUND");
    api.score(BOARD, "u1", "'score':11,'metadata':{'car':'red'}").is(200);
    assertThat(api.get(BOARD + "/users/u1/rank").is(200).at("/metadata/car")).isEqualTo("red");
    api.delete(BOARD + "/users/u1").is(200);
    api.get(BOARD + "/users/u1/rank").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void around_aUserOutside_showsTheLastPlaces() {
    for (String user : List.of("u296", "u0")) {
      Answer around = api.get(BOARD + "/users/" + user + "/around?window=2").is(200);
      assertThat(around.at("/user/outside")).isEqualTo("true");
      assertThat(around.all("/above", "userId")).containsExactly("u298", "u297");
      assertThat(around.json().at("/below").size()).isZero();
    }
    assertThat(api.get(BOARD + "/users/u297/around").is(200).json().at("/below").size()).isZero();
    api.get(BOARD + "/users/nobody/around").refused(404, "USER_NOT_FOUND");
  }

  @Test
  void ranks_ofFriends_haveThoseOutsideLastInTheirOrder() {
    String ids = "{'userIds':['u0','u298','nobody','u5','u296','u5']}";
    Answer friends = api.post(BOARD + "/ranks", ids).is(200);
    assertThat(friends.all("/users", "userId")).containsExactly("u298", "u296", "u5", "u0");
    assertThat(friends.all("/users", "rank")).containsExactly("2", "", "", "");
    assertThat(friends.all("/users", "outside")).containsExactly("", "true", "true", "true");
    assertThat(friends.all("/users", "rankAmong")).containsExactly("1", "2", "3", "4");
    assertThat(friends.json().at("/missing").toString()).isEqualTo("[\"nobody\"]");
  }

  @Test
  void put_aScoreThatGetsNoPlace_saysSoUntilItDoes() {
    Answer outside = api.score(BOARD, "new", "'score':7").is(200);
    assertOutside(outside, "", "7");
    assertThat(outside.at("/outcome")).isEqualTo("APPLIED");
    String body = "{'score':8}";
    Answer first = api.put(BOARD + "/users/new", body, "Idempotency-Key", "k").is(200);
    Answer again = api.put(BOARD + "/users/new", body, "Idempotency-Key", "k").is(200);
    assertOutside(first, "", "8");
    assertThat(again.replayed()).isTrue();
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(api.score(BOARD, "new", "'score':9999").is(200).number("/rank")).isEqualTo(1);
    assertOutside(api.get(BOARD + "/users/u297/rank").is(200), "", "2970");
  }

  @Test
  void games_ofUsersOutside_areAnsweredAlike() {
    String game = "/v1/games/top";
    Answer submitted = api.post(game + "/scores", "{'user_id':'new','score':7}").is(200);
    assertOutside(submitted, "", "7");
    assertThat(submitted.at("/updated")).isEqualTo("true");
    Answer board = api.get(game + "/leaderboard?limit=10").is(200);
    assertThat(board.all("/entries", "user_id")).containsExactly("u299", "u298", "u297");
    assertThat(board.number("/total")).isEqualTo(3);
    Answer context = api.get(game + "/users/new/context?window=1").is(200);
    assertOutside(context, "/user", "7");
    assertThat(context.all("/above", "user_id")).containsExactly("u297");
    api.get(game + "/users/nobody/context").refused(404, "USER_NOT_FOUND");
    assertOutside(api.get("/v1/users/new/scores").is(200), "/scores/0", "7");
  }

  @Test
  void seasons_beforeAndAfterTheFreeze_sayTheSame() {
    String id = api.get(BOARD + "/seasons").is(200).at("/seasons/0/instanceId");
    assertSeason(id);
    clock.set(Instant.parse("2026-11-15T12:00:00Z"));
    Poll.until(
        "the final ranks of the first day",
        () -> api.get(BOARD + "/seasons").at("/seasons/1/final").equals("true"));
    assertSeason(id);
    assertThat(api.get(BOARD + "/top?limit=1&season=previous").is(200).header("Laurel-Source"))
        .isEqualTo("final");
    assertOutside(api.get(BOARD + "/users/u0/history").is(200), "/seasons/0", "0");
  }

  private void assertSeason(String id) {
    Answer top = api.get("/leaderboards/" + id + "/top?k=5").is(200);
    assertThat(top.all("/users", "userId")).containsExactly("u299", "u298", "u297");
    assertThat(top.number("/totalUsers")).isEqualTo(3);
    assertThat(api.get("/leaderboards/" + id + "/rank/u297").is(200).number("/rank")).isEqualTo(3);
    assertOutside(api.get("/leaderboards/" + id + "/rank/u296").is(200), "", "2960");
    assertOutside(api.get("/leaderboards/" + id + "/rank/u0").is(200), "", "0");
    api.get("/leaderboards/" + id + "/rank/nobody").refused(404, "USER_NOT_FOUND");
    Answer prizes = api.get(BOARD + "/prizes?season=" + id).is(200);
    assertThat(prizes.all("/tiers/0/winners", "userId")).containsExactly("u299", "u298", "u297");
    assertThat(prizes.number("/totalUsers")).isEqualTo(3);
  }

  @Test
  void patch_capacity_countsAtOnce() {
    api.patch(BOARD, "{'windows':[{'schedule':'daily','capacity':5}]}").is(200);
    assertThat(api.get(BOARD + "/users/u296/rank").is(200).number("/rank")).isEqualTo(4);
    assertThat(api.get(BOARD + "/top?limit=9").is(200).number("/totalUsers")).isEqualTo(5);
    api.patch(BOARD, "{'windows':[{'schedule':'daily'}]}").is(200);
    assertThat(api.get(BOARD + "/users/u0/rank").is(200).number("/rank")).isEqualTo(USERS);
    Answer refused = api.patch(BOARD, "{'windows':[{'schedule':'daily','capacity':1000001}]}");
    assertThat(refused.refused(400, "VALIDATION_ERROR").message())
        .contains("capacity: 1000001 (expected: 1..1000000)");
  }
}
