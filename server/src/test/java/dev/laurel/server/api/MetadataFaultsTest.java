package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Scrape;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.stack.FaultProxy;
import dev.laurel.stack.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rank of a score with metadata is in the index; its metadata is in the database. */
@SuppressWarnings("NullAway.Init") // set before every test
class MetadataFaultsTest {
  private final PostgresServer postgres = PostgresServer.shared();
  private String database;
  private FaultProxy toPostgres;
  private TestServer server;
  private Api api;
  private String board;

  @BeforeEach
  void start() {
    database = postgres.newDatabase();
    toPostgres = FaultProxy.before(postgres.port());
    server =
        TestServer.start(
            s -> s.with(Settings.DATABASE_URL, PostgresServer.url(database, toPostgres.port())),
            _ -> {});
    api = Api.admin(server);
    board = api.board("b", "'decimals':0");
    for (String user : new String[] {"warm", "cold"}) {
      api.score(board, user, "'score':7,'metadata':{'mode':'" + user + "'}").is(200);
    }
    Poll.until("it is loaded", () -> rank("warm").header("Laurel-Source").isEmpty());
  }

  @AfterEach
  void stop() {
    toPostgres.heal();
    server.close();
    toPostgres.close();
  }

  private Answer rank(String user) {
    return api.get(board + "/users/" + user + "/rank").is(200);
  }

  /** What waits for the socket's timeout, 20 s, and gets 503 otherwise. */
  @Test
  void rank_silentDatabase_comesWithWhatIsKnownOfItsMetadata() {
    assertThat(rank("warm").at("/metadata/mode")).isEqualTo("warm");
    toPostgres.stall();
    Answer cold = rank("cold");
    assertThat(cold.number("/rank")).isEqualTo(2);
    assertThat(cold.json().get("metadata").isNull()).as(cold.text()).isTrue();
    Answer warm = rank("warm");
    assertThat(warm.number("/rank")).isEqualTo(1);
    assertThat(warm.at("/metadata/mode")).isEqualTo("warm");

    toPostgres.heal();
    Poll.until("it is told again", () -> rank("cold").at("/metadata/mode").equals("cold"));
  }

  @Test
  void scores_silentDatabase_comeFromTheIndex() {
    toPostgres.stall();
    Answer scores = api.get("/v1/users/cold/scores").is(200);
    assertThat(scores.all("/scores", "rank")).containsExactly("2");
    assertThat(scores.json().has("unavailable")).isFalse();
  }

  @Test
  void scores_silentDatabaseThatAloneKnows_areNamed() {
    String few = api.board("few", "'windows':[{'name':'all','schedule':'all-time','capacity':1}]");
    for (int i = 0; i < 200; i++) {
      api.score(few, "u" + i, "'score':" + (1000 - i)).is(200);
    }
    Poll.until(
        "the index has dropped the last",
        () ->
            Scrape.of(server).value("laurel_board_entries{board=\"few\",tenant=\"default\"}")
                < 190);
    assertThat(api.get("/v1/users/u199/scores").is(200).all("/scores", "score")).hasSize(1);
    toPostgres.stall();
    Answer scores = api.get("/v1/users/u199/scores").is(200);
    assertThat(scores.json().get("scores")).isEmpty();
    assertThat(scores.json().get("unavailable")).hasSize(1);
  }

  @Test
  void metrics_silentDatabase_showConnectionsInUse() {
    String used = "laurel_store_connections_used{pool=\"reader\"}";
    Poll.until("nobody reads", () -> Scrape.of(server).value(used) == 0);
    assertThat(Scrape.of(server).value("laurel_store_connections_limit{pool=\"reader\"}"))
        .isGreaterThan(1);
    toPostgres.stall();
    rank("cold");
    Poll.until("somebody waits for an answer", () -> Scrape.of(server).value(used) > 0);
    toPostgres.heal();
    Poll.until("nobody reads", () -> Scrape.of(server).value(used) == 0);
  }

  @Test
  void rank_otherMetadataForTheSameScoreAndTime_isTold() {
    String at = "'timestamp':'2026-01-01T00:00:00Z'";
    for (String mode : new String[] {"one", "two", "three"}) {
      api.score(board, "dan", "'score':7," + at + ",'metadata':{'mode':'" + mode + "'}").is(200);
      String stored = rank("dan").at("/metadata/mode");
      assertThat(rank("dan").at("/metadata/mode")).isEqualTo(stored);
      assertThat(stored).isIn("one", mode);
    }
  }
}
