package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.Streams;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import dev.laurel.server.settings.SettingsReader;
import dev.laurel.stack.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that wants TLS and a password, which come from the environment. */
class KafkaSecurityTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path folder = Path.of("");

  @Test
  void environment_tlsAndPassword_reachEveryClient() {
    try (KafkaServer kafka = KafkaServer.startSecured(folder);
        Streams streams = new Streams(kafka)) {
      streams.create("pod-secured-score-updates", 1);
      try (TestServer server = TestServer.start(base -> fromEnvironment(base, kafka), _ -> {})) {
        Api admin = Api.admin(server);
        String board = admin.board("secured");
        admin.post("/api/v1/pods", "{'podId':'secured'}").is(201);
        admin
            .post(
                "/api/v1/pods/secured/schemas",
                "{'schemaVersion':'1','status':'ACTIVE','fieldMappings':{'userId':'u','score':'s',"
                    + "'timestamp':'t','UUID':'b'},'timestampFormat':'EPOCH_SECONDS',"
                    + "'scoreType':'integer'}")
            .is(201);
        streams.send(
            "pod-secured-score-updates", "{'u':'ann','s':7,'t':1705314600,'b':'secured'}", "bad");
        Poll.until(
            "the score is there",
            PATIENCE,
            () -> admin.get(board + "/users/ann/rank").at("/score").equals("7"));
        Poll.until(
            "the dead letter is there",
            PATIENCE,
            () -> admin.get("/api/v1/dead-letters").json().at("/deadLetters").size() == 1);
        assertThat(streams.read("pod-secured-score-updates.dlt")).containsExactly("bad");
      }
    }
  }

  private Configuration fromEnvironment(Configuration base, KafkaServer kafka) {
    Map<String, String> env = new HashMap<>();
    kafka
        .secureProperties()
        .forEach(
            (name, value) ->
                env.put("LAUREL_KAFKA_" + name.toUpperCase(Locale.ROOT).replace('.', '_'), value));
    env.put("LAUREL_KAFKA_BOOTSTRAP", kafka.secureBootstrap());
    env.put("LAUREL_ADMIN_KEY", TestServer.ADMIN_KEY);
    env.put("LAUREL_PORT", "0");
    env.put("LAUREL_DATA", base.get(Settings.DATA));
    return new SettingsReader(env, folder).read(Map.of());
  }
}
