package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.HookReceiver;
import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Awards are told to webhooks that asked for them, with their features. */
class AwardRecordedTest {
  @Test
  void award_webhookThatAsked_hearsOfItWithItsFeatures() {
    TestIssuer issuer = new TestIssuer();
    try (TestServer server = TestServer.start(issuer.settings(), _ -> {});
        HookReceiver receiver = new HookReceiver()) {
      Api api = Api.admin(server);
      api.put("/api/v1/award-rules", "{'version':1,'rules':{'quest':25}}").is(200);
      String hook = "{'url':'%s','events':['award.recorded']}".formatted(receiver.url("/awards"));
      api.post("/api/v1/webhooks", hook).is(201);
      Api user = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("ann"));
      for (int i = 0; i < 2; i++) {
        user.post(
                "/v1/scores/award",
                "{'action_type':'quest','action_id':'a%d'}".formatted(i),
                "Idempotency-Key",
                UUID.randomUUID().toString())
            .is(200);
      }
      Poll.until("both were sent", () -> receiver.messages().size() == 2);
      assertThat(receiver.messages())
          .allSatisfy(m -> assertThat(m.body()).contains("\"type\":\"award.recorded\""))
          .anySatisfy(m -> assertThat(m.body()).contains("\"awardsLastHour\":1"))
          .anySatisfy(m -> assertThat(m.body()).contains("\"awardsLastHour\":2"));
    }
  }
}
