package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.core.award.Receipts;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users who make up what they have done. */
class AwardAbuseTest {
  private static final String AWARD = "/v1/scores/award";

  private final ManualClock clock = new ManualClock(Instant.now());
  private final TestIssuer issuer = new TestIssuer();
  private final TestServer server = TestServer.start(issuer.settings(), clock, _ -> {});
  private final Api admin = Api.admin(server);

  @AfterEach
  void stop() {
    server.close();
    issuer.close();
  }

  private Api user(String name) {
    Date later = Date.from(Instant.now().plus(Duration.ofDays(30)));
    return Api.anonymous(server)
        .with("Authorization", "Bearer " + issuer.token(name, c -> c.expirationTime(later)));
  }

  private static String body(String action, String id, String more) {
    return "{'action_type':'%s','action_id':'%s','idempotency_key':'%s'%s}"
        .formatted(action, id, UUID.randomUUID(), more);
  }

  private void rules(String text) {
    admin.put("/api/v1/award-rules", text).is(200);
  }

  @Test
  void madeUpActions_ofOneUser_payOnlySoOftenADay() throws Exception {
    rules("{'version':1,'rules':{'watch':25,'share':5},'limits':{'watch':3}}");
    Api ann = user("ann");
    int given = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String body = body("watch", "forged-" + i, "");
        calls.add(threads.submit(() -> ann.post(AWARD, body)));
      }
      for (Future<Answer> call : calls) {
        Answer answer = call.get();
        if (answer.status() == 200) {
          given++;
        } else {
          answer.refused(422, "ACTION_LIMIT_REACHED");
        }
      }
    }
    assertThat(given).isEqualTo(3);
    // Another action and another user have counts of their own.
    assertThat(ann.post(AWARD, body("share", "s1", "")).is(200).at("/total")).isEqualTo("80");
    user("bob").post(AWARD, body("watch", "forged-1", "")).is(200);
    clock.turn(Duration.ofDays(1));
    ann.post(AWARD, body("watch", "next day", "")).is(200);
  }

  @Test
  void madeUpActions_whereTheRulesSayNothing_areLimitedToo() {
    rules("{'version':1,'rules':{'watch':25}}");
    assertThat(admin.get("/api/v1/award-rules").is(200).at("/limits/watch")).isEqualTo("100");
    Api ann = user("ann");
    for (int i = 0; i < 100; i++) {
      ann.post(AWARD, body("watch", "a" + i, "")).is(200);
    }
    ann.post(AWARD, body("watch", "one more", "")).refused(422, "ACTION_LIMIT_REACHED");
  }

  @Test
  void receipt_whereTheRulesAskForOne_cannotBeMadeUpLentOrKept() {
    rules("{'version':1,'rules':{'watch':25},'receipts':['watch']}");
    Api ann = user("ann");
    ann.post(AWARD, body("watch", "a1", "")).refused(422, "RECEIPT_INVALID");
    String key = admin.get("/api/v1/award-receipt-key").is(200).at("/key");
    long soon = clock.millis() / 1000 + 600;
    String good = receipt(key, 1, "ann", "a1", soon);
    for (String wrong :
        List.of(
            "",
            "v1." + soon + ".AAAA",
            good + "x",
            good.replace("v1.", "v3."),
            good.replace("." + soon, "." + (soon + 1)),
            receipt(key, 1, "bob", "a1", soon),
            receipt(key, 1, "ann", "a2", soon),
            receipt("guessed", 1, "ann", "a1", soon),
            receipt(key, 1, "ann", "a1", clock.millis() / 1000 - 1),
            receipt(key, 1, "ann", "a1", clock.millis() / 1000 + 8 * 86_400))) {
      ann.post(AWARD, body("watch", "a1", ",'receipt':'" + wrong + "'"))
          .refused(422, "RECEIPT_INVALID");
    }
    ann.post(AWARD, body("watch", "a1", ",'receipt':'" + good + "'")).is(200);
    ann.post(AWARD, body("watch", "a1", ",'receipt':'" + good + "'"))
        .refused(409, "ACTION_REPLAYED");
    // When the id may be used again, the receipt is good no more.
    clock.turn(Duration.ofDays(8));
    ann.post(AWARD, body("watch", "a1", ",'receipt':'" + good + "'"))
        .refused(422, "RECEIPT_INVALID");
  }

  @Test
  void receiptKey_isTheTenantsAndCanBeReplaced() {
    rules("{'version':1,'rules':{'watch':25},'receipts':['watch']}");
    admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
    String path = "/api/v1/award-receipt-key";
    String key = admin.get(path).is(200).at("/key");
    assertThat(admin.with("Laurel-Tenant", "acme").get(path).is(200).at("/key")).isNotEqualTo(key);
    admin.key("reader", "read", "ingest").get(path).refused(403, "FORBIDDEN");
    String next = admin.get(path + "?version=2").is(200).at("/key");
    long soon = clock.millis() / 1000 + 600;
    Api ann = user("ann");
    String first = receipt(key, 1, "ann", "a1", soon);
    String second = receipt(next, 2, "ann", "a2", soon);
    ann.post(AWARD, body("watch", "a1", ",'receipt':'" + first + "'")).is(200);
    ann.post(AWARD, body("watch", "a2", ",'receipt':'" + second + "'")).is(200);
    rules("{'version':2,'rules':{'watch':25},'receipts':['watch'],'receiptKeyVersion':2}");
    String old = receipt(key, 1, "ann", "a3", soon);
    ann.post(AWARD, body("watch", "a3", ",'receipt':'" + old + "'"))
        .refused(422, "RECEIPT_INVALID");
    assertThat(admin.get(path).is(200).at("/key")).isEqualTo(next);
  }

  private static String receipt(
      String key, int version, String user, String actionId, long expires) {
    return Receipts.write(key, version, new Receipts.Action(user, "watch", actionId), expires);
  }
}
