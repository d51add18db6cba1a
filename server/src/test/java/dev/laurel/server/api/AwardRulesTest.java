package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.laurel.server.Poll;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import dev.laurel.server.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules by the API and from a file: versions only grow, and signatures are checked. */
class AwardRulesTest {
  private static final String RULES = "/api/v1/award-rules";
  private static final String SWITCH = "/api/v1/award-switch";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void rules_byTheApi_onlyGrow() {
    TestServer server = TestServer.start();
    try {
      Api admin = Api.admin(server);
      admin.get(RULES).refused(404, "RULES_NOT_FOUND");
      admin.put(RULES, "{'version':3,'rules':{'a':1}}").is(200);
      assertThat(Api.anonymous(server).get("/v1/leaderboard").is(200).at("/entries/0")).isEmpty();
      admin.put(RULES, "{'version':3,'rules':{'a':1}}").is(200);
      admin.put(RULES, "{'version':3,'rules':{'a':2}}").refused(409, "RULES_OUTDATED");
      admin.put(RULES, "{'version':2,'rules':{'a':2}}").refused(409, "RULES_OUTDATED");
      assertThat(admin.put(RULES, "{'version':4,'rules':{'a':9}}").is(200).at("/rules/a"))
          .isEqualTo("9");
      for (String wrong :
          List.of(
              "{'version':5}",
              "{'version':0,'rules':{}}",
              "{'version':5,'rules':{'a':-1}}",
              "{'version':5,'rules':{'a':1.5}}",
              "{'version':5,'rules':{'a':'1'}}",
              "{'version':5,'rules':{'a b':1}}",
              "{'version':5,'rules':{'':1}}",
              "{'version':5,'rules':{'a':1},'disabled':['?']}",
              "{'version':5,'rules':{'a':1000000001}}")) {
        admin.put(RULES, wrong).refused(400, "VALIDATION_ERROR");
      }
      assertThat(admin.get(RULES).is(200).at("/version")).isEqualTo("4");
      // Another tenant has its own.
      admin.post("/api/v1/tenants", "{'tenantId':'acme','name':'Acme'}").is(201);
      Api acme = admin.with("Laurel-Tenant", "acme");
      acme.get(RULES).refused(404, "RULES_NOT_FOUND");
      acme.put(RULES, "{'version':1,'rules':{'b':1}}").is(200);
      server = server.restart();
      assertThat(Api.admin(server).get(RULES).at("/version")).isEqualTo("4");
    } finally {
      server.close();
    }
  }

  @Test
  void rules_fromAFile_areFollowed() throws Exception {
    Path file =
        Files.writeString(folder.resolve("rules.json"), "{\"version\":3,\"rules\":{\"a\":1}}");
    try (TestServer server =
        TestServer.start(s -> s.with(Settings.AWARD_RULES, file.toString()), _ -> {})) {
      Api admin = Api.admin(server);
      assertThat(admin.get(RULES).is(200).at("/rules/a")).isEqualTo("1");
      Files.writeString(file, "{\"version\":4,\"rules\":{\"a\":2}}");
      Poll.until("the new rules", () -> admin.get(RULES).at("/rules/a").equals("2"));
      Files.delete(file);
      Files.writeString(file, "{\"version\":5,");
      Files.writeString(file, "{\"version\":6,\"rules\":{\"a\":3}}");
      Poll.until("the newest rules", () -> admin.get(RULES).at("/version").equals("6"));
      // What came later by the API stays, though the file is there and says something else.
      admin.put(RULES, "{'version':7,'rules':{'a':4}}").is(200);
      Files.writeString(file, "{\"version\":6,\"rules\":{\"a\":5}}");
      Files.writeString(folder.resolve("rules.json.sig"), "none");
      Files.writeString(file, "{\"version\":8,\"rules\":{\"a\":6}}");
      Poll.until("the file's again", () -> admin.get(RULES).at("/version").equals("8"));
      assertThat(admin.get(RULES).at("/rules/a")).isEqualTo("6");
    }
  }

  /**
   * The document's own file, with one action at zero: it is taken, and that action pays nothing.
   */
  @Test
  void rules_zeroPoints_disableTheActionAndNothingElse() throws Exception {
    String first =
        """
        {
          "version": 3,
          "rules": {
            "watch_video": 25,
            "share_link": 5,
            "daily_login": 10
          }
        }
        """;
    Path file = Files.writeString(folder.resolve("rules.json"), first);
    try (TestIssuer issuer = new TestIssuer();
        TestServer server =
            TestServer.start(
                s -> issuer.settings().apply(s).with(Settings.AWARD_RULES, file.toString()),
                _ -> {})) {
      Api admin = Api.admin(server);
      Api ann = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("ann"));
      award(ann, "share_link").is(200);
      Files.writeString(
          file, first.replace("\"version\": 3", "\"version\": 4").replace(": 5", ": 0"));
      Poll.until("the new rules", () -> admin.get(RULES).at("/version").equals("4"));
      Answer rules = admin.get(RULES).is(200);
      assertThat(rules.at("/rules/share_link")).isEqualTo("0");
      assertThat(rules.json().get("disabled").toString()).isEqualTo("[\"share_link\"]");
      award(ann, "share_link").refused(422, "ACTION_DISABLED");
      assertThat(award(ann, "daily_login").is(200).at("/total")).isEqualTo("15");
    }
  }

  private static Answer award(Api user, String action) {
    return user.post(
        "/v1/scores/award",
        "{'action_type':'%s','action_id':'%s'}".formatted(action, UUID.randomUUID()),
        "Idempotency-Key",
        UUID.randomUUID().toString());
  }

  @Test
  void awardSwitch_withTheSettingOff_saysWhatAwardsMeet() {
    try (TestIssuer issuer = new TestIssuer();
        TestServer server =
            TestServer.start(
                s -> issuer.settings().apply(s).with(Settings.AWARDING_ENABLED, "false"),
                _ -> {})) {
      Api admin = Api.admin(server);
      Api ann = Api.anonymous(server).with("Authorization", "Bearer " + issuer.token("ann"));
      admin.put(RULES, "{'version':1,'rules':{'watch_video':25}}").is(200);
      String off = "{\"enabled\":false,\"stoppedBy\":[\"SETTING\"],\"switchedOff\":[]}";
      assertThat(admin.put(SWITCH, "{'enabled':true}").is(200).text()).isEqualTo(off);
      assertThat(admin.get(SWITCH).is(200).text()).isEqualTo(off);
      assertThat(admin.get(RULES).is(200).at("/enabled")).isEqualTo("false");
      award(ann, "watch_video").refused(422, "AWARDS_DISABLED");
      admin.put(SWITCH, "{'enabled':false}").is(200);
      assertThat(admin.get(SWITCH).is(200).json().get("stoppedBy").toString())
          .isEqualTo("[\"SETTING\",\"SWITCH\"]");
      admin.key("reader", "read").get(SWITCH).is(200);
      ann.get(SWITCH).refused(403, "FORBIDDEN");
    }
  }

  @Test
  void awardSwitch_ofTheTenant_canBeRead() {
    try (TestServer server = TestServer.start()) {
      Api admin = Api.admin(server);
      String on = "{\"enabled\":true,\"stoppedBy\":[],\"switchedOff\":[]}";
      assertThat(admin.get(SWITCH).is(200).text()).isEqualTo(on);
      admin.put(SWITCH, "{'enabled':false,'action':'share_link'}").is(200);
      assertThat(admin.get(SWITCH).is(200).json().get("switchedOff").toString())
          .isEqualTo("[\"share_link\"]");
      admin.put(SWITCH, "{'enabled':false}").is(200);
      assertThat(admin.get(SWITCH).is(200).at("/enabled")).isEqualTo("false");
      admin.put(SWITCH, "{'enabled':true}").is(200);
      assertThat(admin.get(SWITCH).is(200).at("/enabled")).isEqualTo("true");
    }
  }

  @Test
  void rules_whereAKeyIsConfigured_mustBeSigned() throws Exception {
    for (String kind : List.of("Ed25519", "RSA")) {
      KeyPair pair = KeyPairGenerator.getInstance(kind).generateKeyPair();
      Path pem =
          Files.writeString(
              folder.resolve(kind + ".pem"),
              "-----BEGIN PUBLIC KEY-----\n"
                  + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
                  + "\n-----END PUBLIC KEY-----\n");
      String first = "{\"version\":1,\"rules\":{\"a\":1}}";
      Path file = Files.writeString(folder.resolve(kind + ".json"), first);
      Files.writeString(folder.resolve(kind + ".json.sig"), sign(pair, first));
      try (TestServer server =
          TestServer.start(
              s ->
                  s.with(Settings.AWARD_RULES, file.toString())
                      .with(Settings.AWARD_RULES_KEY, pem.toString()),
              _ -> {})) {
        Api admin = Api.admin(server);
        assertThat(admin.get(RULES).is(200).at("/signed")).isEqualTo("true");
        String second = "{\"version\":2,\"rules\":{\"a\":2}}";
        admin.raw("PUT", RULES, second).refused(422, "SIGNATURE_INVALID");
        for (String wrong : List.of(sign(pair, first), "AAAA", "not base64!")) {
          admin
              .raw("PUT", RULES, second, "Laurel-Rules-Signature", wrong)
              .refused(422, "SIGNATURE_INVALID");
        }
        assertThat(
                admin
                    .raw("PUT", RULES, second, "Laurel-Rules-Signature", sign(pair, second))
                    .is(200)
                    .at("/rules/a"))
            .isEqualTo("2");
      }
    }
  }

  private static String sign(KeyPair pair, String text) throws GeneralSecurityException {
    boolean rsa = pair.getPrivate().getAlgorithm().equals("RSA");
    Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "Ed25519");
    signature.initSign(pair.getPrivate());
    signature.update(text.getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }
}
