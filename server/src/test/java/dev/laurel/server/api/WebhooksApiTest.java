package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.HookReceiver;
import dev.laurel.server.Poll;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import dev.laurel.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Webhooks, with a receiver that is really called and a clock turned by hand. */
class WebhooksApiTest {
  private static final String HOOKS = "/api/v1/webhooks";
  private static final String SECRET = "0123456789abcdef-secret";
  private static final String DAILY =
      """
      {"UUID":"solo","windows":[{"schedule":"daily","grace":"PT5M",
        "prizes":[{"name":"gold \\"1\\"","from":1}]}]}
      """;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-14T12:00:00Z"));

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api api;

  @SuppressWarnings("NullAway.Init") // set before every test
  private HookReceiver receiver;

  @BeforeEach
  void start() {
    server = TestServer.start(clock);
    api = Api.admin(server);
    receiver = new HookReceiver();
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  /** The address of a new webhook; more fields with single quotes. */
  private String hook(String path, String more) {
    Answer made =
        api.post(HOOKS, "{'url':'%s','secret':'%s'%s}".formatted(receiver.url(path), SECRET, more))
            .is(201);
    assertThat(made.at("/secret")).isEqualTo(SECRET);
    return HOOKS + "/" + made.at("/webhookId");
  }

  private Answer deliveries(String hook) {
    return api.get(hook + "/deliveries").is(200);
  }

  private List<String> states(String hook) {
    return deliveries(hook).all("/deliveries", "state");
  }

  private void awaitState(String hook, String... states) {
    Poll.until("deliveries " + List.of(states), () -> states(hook).equals(List.of(states)));
  }

  private void awaitDelivered(String hook, int count) {
    awaitState(hook, Collections.nCopies(count, "DELIVERED").toArray(new String[0]));
  }

  private void awaitAttempts(String hook, int count) {
    Poll.until(
        count + " attempts",
        () -> deliveries(hook).json().at("/deliveries/0/attempts").size() == count);
  }

  @Test
  void seasons_ofADay_sendEachEventOnceToWhoWantsIt() throws GeneralSecurityException {
    String all = hook("/all", "");
    String prizes = hook("/prizes", ",'events':['prizes.ready']");
    api.board("other");
    String solo = api.post(Api.BOARDS, DAILY).is(201).at("/leaderboardId");
    String only = hook("/only", ",'UUID':'solo'");
    api.score(Api.BOARDS + "/solo", "ann", "'score':1").is(200);
    // The clock is turned when nothing is on its way: a lease that ends is another attempt.
    awaitDelivered(all, 2);
    clock.set(Instant.parse("2026-11-14T23:30:00Z"));
    awaitDelivered(all, 3);
    awaitDelivered(only, 1);
    clock.set(Instant.parse("2026-11-15T00:30:00Z"));
    awaitDelivered(all, 6);
    awaitDelivered(only, 4);
    awaitDelivered(prizes, 1);

    assertThat(events("/all"))
        .containsExactlyInAnyOrder(
            "season.started other",
            "season.started solo",
            "season.closing_soon solo",
            "season.completed solo",
            "season.started solo",
            "prizes.ready solo");
    assertThat(events("/only"))
        .containsExactlyInAnyOrder(
            "season.closing_soon solo",
            "season.completed solo",
            "season.started solo",
            "prizes.ready solo");
    assertThat(events("/prizes")).containsExactly("prizes.ready solo");
    assertThat(receiver.messages())
        .extracting(HookReceiver.Message::delivery)
        .doesNotHaveDuplicates();

    for (HookReceiver.Message message : receiver.messages()) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String signed = message.timestamp() + "." + message.body();
      byte[] hash = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
      assertThat(message.signature()).isEqualTo("sha256=" + HexFormat.of().formatHex(hash));
      assertThat(Instant.ofEpochSecond(Long.parseLong(message.timestamp())))
          .isBetween(Instant.parse("2026-11-14T12:00:00Z"), clock.instant());
    }
    Answer kept = deliveries(prizes);
    assertThat(kept.json().at("/deliveries/0/payload").toString())
        .isEqualTo(body("/prizes").json().toString());
    assertThat(kept.at("/deliveries/0/payload/leaderboardId")).isEqualTo(solo);
    assertThat(kept.at("/deliveries/0/payload/tenantId")).isEqualTo("default");
    assertThat(kept.at("/deliveries/0/payload/season/label")).isEqualTo("solo-2026-11-14-daily");
    assertThat(kept.at("/deliveries/0/payload/season/period")).isEqualTo("daily");
    assertThat(kept.at("/deliveries/0/payload/season/endTime")).isEqualTo("2026-11-15T00:00:00Z");
    String instance = kept.at("/deliveries/0/payload/season/instanceId");
    assertThat(api.get("/leaderboards/" + instance + "/top?k=1").is(200).all("/users", "userId"))
        .containsExactly("ann");
    assertThat(api.get("/metrics").text())
        .contains("laurel_webhook_attempts_total{outcome=\"delivered\"} 11.0");
  }

  private Answer body(String path) {
    HookReceiver.Message message =
        receiver.messages().stream().filter(m -> m.path().equals(path)).findFirst().orElseThrow();
    return Answer.of(200, api.get(HOOKS).headers(), message.body());
  }

  private List<String> events(String path) {
    return receiver.messages().stream()
        .filter(m -> m.path().equals(path))
        .map(
            m -> {
              Answer body = Answer.of(200, api.get(HOOKS).headers(), m.body());
              assertThat(body.at("/id")).isEqualTo(m.eventId());
              assertThat(body.at("/event")).isEqualTo(m.event());
              return m.event() + " " + body.at("/UUID");
            })
        .toList();
  }

  @Test
  void failures_areRetriedUntilTheyFailAndSentAgainWhenAsked() {
    receiver.answer(500);
    String hook = hook("/", "");
    api.board("solo");
    awaitAttempts(hook, 1);
    assertThat(deliveries(hook).at("/deliveries/0/attempts/0/status")).isEqualTo("500");
    assertThat(
            Duration.between(
                clock.instant(), Instant.parse(deliveries(hook).at("/deliveries/0/nextAttemptAt"))))
        .isBetween(Duration.ofMillis(3750), Duration.ofSeconds(5));
    // Followed, a redirect would arrive elsewhere.
    receiver.answer(302);
    for (int tries = 2; tries <= 12; tries++) {
      clock.turn(Duration.ofHours(1));
      awaitAttempts(hook, tries);
    }
    awaitState(hook, "FAILED");
    assertThat(receiver.messages())
        .hasSize(12)
        .allSatisfy(m -> assertThat(m.path()).isEqualTo("/"));
    assertThat(api.get(hook + "/deliveries?state=PENDING").all("/deliveries", "state")).isEmpty();

    receiver.answer(204);
    String id = deliveries(hook).at("/deliveries/0/deliveryId");
    String resend = HOOKS + "/deliveries/" + id + "/resend";
    Answer first = api.send("POST", resend, null, "Idempotency-Key", "again").is(200);
    assertThat(first.at("/state")).isEqualTo("PENDING");
    awaitState(hook, "DELIVERED");
    // The same request again is not another one.
    assertThat(api.send("POST", resend, null, "Idempotency-Key", "again").is(200).replayed())
        .isTrue();
    awaitAttempts(hook, 13);
    assertThat(receiver.messages())
        .extracting(HookReceiver.Message::delivery)
        .containsOnly(id)
        .hasSize(13);
    clock.turn(Duration.ofDays(31));
    Poll.until("it is forgotten", () -> states(hook).isEmpty());
  }

  @Test
  void pending_afterARestart_isStillSent() {
    receiver.answer(503);
    String hook = hook("/", "");
    api.board("solo");
    awaitAttempts(hook, 1);
    server = server.restart();
    api = Api.admin(server);
    assertThat(states(hook)).containsExactly("PENDING");
    receiver.answer(200);
    clock.turn(Duration.ofSeconds(5));
    awaitState(hook, "DELIVERED");
    assertThat(receiver.messages())
        .extracting(HookReceiver.Message::delivery)
        .hasSize(2)
        .containsOnly(deliveries(hook).at("/deliveries/0/deliveryId"));
  }

  @Test
  void privateAddress_unlessAllowed_isNotCalled() {
    server.close();
    server = TestServer.start(s -> s.with(Settings.WEBHOOK_PRIVATE, "refuse"), clock, _ -> {});
    api = Api.admin(server);
    String hook = hook("/", "");
    api.board("solo");
    awaitAttempts(hook, 1);
    assertThat(deliveries(hook).at("/deliveries/0/attempts/0/error"))
        .startsWith("address: not public");
    assertThat(receiver.messages()).isEmpty();
  }

  @Test
  void receiver_thatIsNotThere_isNamedAsSuch() {
    String hook = hook("/", "");
    receiver.close();
    api.board("solo");
    awaitAttempts(hook, 1);
    assertThat(deliveries(hook).at("/deliveries/0/attempts/0/error")).isEqualTo("no connection");
  }

  @Test
  void secret_isShownOnceAndMadeUpIfNotGiven() {
    String body = "{'url':'https://x.example/'}";
    Answer made = api.post(HOOKS, body, "Idempotency-Key", "one").is(201);
    assertThat(made.at("/secret")).matches("whsec_[A-Za-z0-9_-]{32}");
    assertThat(made.json().at("/events").size()).isEqualTo(5);
    Answer again = api.post(HOOKS, body, "Idempotency-Key", "one").is(201);
    assertThat(again.replayed()).isTrue();
    assertThat(again.at("/webhookId")).isEqualTo(made.at("/webhookId"));
    assertThat(again.text() + api.get(HOOKS).is(200).text())
        .doesNotContain("\"secret\"")
        .doesNotContain(made.at("/secret"));
  }

  @Test
  void event_forTwoWebhooks_hasOneIdAndKeepsItWhenItIsTriedAgain() {
    receiver.answer(500);
    String one = hook("/one", "");
    String two = hook("/two", "");
    api.board("solo");
    awaitAttempts(one, 1);
    awaitAttempts(two, 1);
    receiver.answer(200);
    clock.turn(Duration.ofSeconds(5));
    awaitDelivered(one, 1);
    awaitDelivered(two, 1);
    assertThat(receiver.messages()).hasSize(4);
    assertThat(receiver.messages())
        .extracting(HookReceiver.Message::eventId)
        .containsOnly(deliveries(one).at("/deliveries/0/eventId"));
    assertThat(receiver.messages().stream().map(HookReceiver.Message::delivery).distinct())
        .hasSize(2);
    assertThat(receiver.messages().stream().map(HookReceiver.Message::body).distinct()).hasSize(1);
  }

  private static String signature(String secret, HookReceiver.Message message)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signed = message.timestamp() + "." + message.body();
    return "sha256="
        + HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void secret_rotated_bothSignUntilTheOverlapIsOver() throws GeneralSecurityException {
    String hook = hook("/", "");
    Answer rotated =
        api.post(hook + "/secret", "{'overlapSeconds':60}", "Idempotency-Key", "r").is(200);
    String next = rotated.at("/secret");
    assertThat(next).startsWith("whsec_");
    assertThat(rotated.at("/oldSecretUntil")).isEqualTo("2026-11-14T12:01:00Z");
    Answer again =
        api.post(hook + "/secret", "{'overlapSeconds':60}", "Idempotency-Key", "r").is(200);
    assertThat(again.text()).doesNotContain(next);
    api.board("during");
    awaitDelivered(hook, 1);
    HookReceiver.Message both = receiver.messages().getLast();
    assertThat(both.signature()).isEqualTo(signature(next, both) + "," + signature(SECRET, both));
    clock.turn(Duration.ofMinutes(1));
    api.board("after");
    awaitDelivered(hook, 2);
    HookReceiver.Message one = receiver.messages().getLast();
    assertThat(one.signature()).isEqualTo(signature(next, one));
    api.post(hook + "/secret", "{'secret':'short'}").refused(400, "VALIDATION_ERROR");
    api.post(hook + "/secret", "{'overlapSeconds':2592001}").refused(400, "VALIDATION_ERROR");
  }

  @Test
  void change_pausedAndMoved_sendsWhatHasWaitedToTheNewAddress() {
    api.board("solo");
    String hook = hook("/old", ",'UUID':'solo'");
    assertThat(api.patch(hook, "{'paused':true,'UUID':null}").is(200).json().has("UUID")).isFalse();
    api.board("while-paused");
    awaitState(hook, "PAUSED");
    Answer test = api.send("POST", hook + "/test", null).is(200);
    assertThat(test.at("/event")).isEqualTo("webhook.test");
    Poll.until("the test", () -> receiver.messages().size() == 1);
    assertThat(receiver.messages().getFirst().event()).isEqualTo("webhook.test");
    api.patch(hook, "{'url':'" + receiver.url("/new") + "'}").is(200);
    api.patch(hook, "{'paused':false}").is(200);
    awaitDelivered(hook, 2);
    assertThat(receiver.messages().getLast().path()).isEqualTo("/new");
    assertThat(api.get(hook).is(200).at("/paused")).isEqualTo("false");
    api.patch(hook, "{'events':['prizes.ready']}").is(200);
    api.board("unheard");
    assertThat(states(hook)).hasSize(2);
    api.patch(hook, "{'url':'ftp://x'}").refused(400, "VALIDATION_ERROR");
    api.patch(hook, "{'UUID':'nowhere'}").refused(400, "VALIDATION_ERROR");
    api.patch(HOOKS + "/999", "{'paused':true}").refused(404, "WEBHOOK_NOT_FOUND");
  }

  @Test
  void remove_withDeliveries_keepsThemForReading() {
    String hook = hook("/", "");
    api.board("sent");
    awaitDelivered(hook, 1);
    receiver.answer(500);
    api.board("waiting");
    Poll.until("an attempt", () -> receiver.messages().size() == 2);
    api.delete(hook).is(204);
    assertThat(states(hook)).containsExactlyInAnyOrder("CANCELLED", "DELIVERED");
    assertThat(api.get(HOOKS).is(200).all("/webhooks", "webhookId")).isEmpty();
    Answer removed = api.get(HOOKS + "?removed=true").is(200);
    assertThat(removed.at("/webhooks/0/removedAt")).isEqualTo("2026-11-14T12:00:00Z");
    api.get(hook).refused(404, "WEBHOOK_NOT_FOUND");
    api.delete(hook).refused(404, "WEBHOOK_NOT_FOUND");
    String id = deliveries(hook).at("/deliveries/0/deliveryId");
    api.send("POST", HOOKS + "/deliveries/" + id + "/resend", null)
        .refused(404, "WEBHOOK_NOT_FOUND");
    clock.turn(Duration.ofDays(31));
    Poll.until("all of it is forgotten", () -> api.get(hook + "/deliveries").status() == 404);
  }

  @Test
  void slowReceiver_withABacklog_takesFewHandsAndDelaysNobody() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger held = new AtomicInteger();
    try (HookReceiver slow = new HookReceiver()) {
      slow.beforeAnswer(
          () -> {
            held.incrementAndGet();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      for (int i = 0; i < 3; i++) {
        api.post(HOOKS, "{'url':'" + slow.url("/" + i) + "','events':['season.started']}").is(201);
      }
      String quick = hook("/quick", ",'events':['season.started']");
      for (int i = 0; i < 60; i++) {
        api.board("b" + i);
      }
      Poll.until(
          "the quick one has all of its messages",
          () ->
              receiver.messages().stream().map(HookReceiver.Message::eventId).distinct().count()
                  == 60);
      // Three webhooks, 16 each: without a limit all 180 of their messages would be on their way.
      assertThat(held.get()).isBetween(1, 48);
      assertThat(states(quick)).hasSize(60);
    } finally {
      release.countDown();
    }
  }

  @Test
  void create_whatCannotBeCalled_isRefused() {
    for (String url :
        List.of(
            "ftp://x.example/",
            "file:///etc/passwd",
            "x.example",
            "http://",
            "http:///x",
            "http://user:pw@x.example/",
            "http://x.example/#f",
            "http://x.example/ y",
            "http://x.example:99999/",
            "javascript:alert(1)")) {
      api.post(HOOKS, "{'url':'" + url + "'}").refused(400, "VALIDATION_ERROR");
    }
    for (String more :
        List.of(
            "'secret':'short'",
            "'events':[]",
            "'events':['season.paused']",
            "'events':['prizes.ready','prizes.ready']",
            "'UUID':'nowhere'")) {
      Answer refused =
          api.post(HOOKS, "{'url':'http://x.example/'," + more + "}")
              .refused(400, "VALIDATION_ERROR");
      assertThat(refused.message()).doesNotContain("short");
    }
    assertThat(api.get(HOOKS).is(200).json().at("/webhooks").size()).isZero();
  }
}
