package dev.laurel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.laurel.server.TestIssuer;
import dev.laurel.server.TestServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tokens that are what they should be, and the known ways to make some that are not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenTest {
  private static final String ME = "/v1/users/me/score";

  private final ECKey curve = TestIssuer.ec("curve", Curve.P_256);
  private final ECKey wide = TestIssuer.ec("wide", Curve.P_384);

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestIssuer issuer;

  @SuppressWarnings("NullAway.Init") // set before every test
  private TestServer server;

  @SuppressWarnings("NullAway.Init") // set before every test
  private Api admin;

  @BeforeAll
  void start() {
    issuer = new TestIssuer();
    issuer.publish(issuer.key(), curve, wide);
    server = TestServer.start(issuer.settings(), _ -> {});
    admin = Api.admin(server);
    admin.score(Api.BOARDS + "/global", "ann", "'score':7").is(200);
  }

  @AfterAll
  void stop() {
    server.close();
    issuer.close();
  }

  private Answer me(String token) {
    return bearer(token).get(ME);
  }

  private Api bearer(String token) {
    return Api.anonymous(server).with("Authorization", "Bearer " + token);
  }

  private void refused(String token, String why) {
    Answer answer = me(token).refused(401, "UNAUTHENTICATED");
    assertThat(answer.message()).contains(why).contains("expected");
    assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    for (String part : token.split("\\.")) {
      assertThat(part.length() > 20 && answer.text().contains(part)).isFalse();
    }
    // Also a route that anyone may read refuses wrong credentials.
    bearer(token).get("/v1/leaderboard").refused(401, "UNAUTHENTICATED");
    // And nothing of it was remembered.
    me(token).refused(401, "UNAUTHENTICATED");
  }

  private String token(Consumer<JWTClaimsSet.Builder> change) {
    return issuer.token("ann", change);
  }

  private static JWSHeader.Builder header(String kid) {
    return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid);
  }

  @Test
  void token_asItShouldBe_tellsTheUser() {
    Answer score = me(issuer.token("ann")).is(200);
    assertThat(score.text()).isEqualTo("{\"user_id\":\"ann\",\"total\":7,\"rank\":1}");
    assertThat(me(issuer.token("nobody-yet")).is(200).text())
        .isEqualTo("{\"user_id\":\"nobody-yet\",\"total\":0}");
    // RFC 7235: the scheme's case does not matter.
    Api.anonymous(server).with("Authorization", "bearer " + issuer.token("ann")).get(ME).is(200);
  }

  @Test
  void token_ofEs256_isTaken() {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("curve").build();
    me(TestIssuer.token(header, curve, TestIssuer.claims("ann", _ -> {}))).is(200);
  }

  @Test
  void attack_algNone_isRefused() {
    JWTClaimsSet claims = TestIssuer.claims("ann", _ -> {});
    refused(new PlainJWT(claims).serialize(), "not a signed");
    String[] parts = issuer.token("ann").split("\\.");
    for (String alg : List.of("none", "None", "NONE")) {
      String header = base64("{\"alg\":\"" + alg + "\",\"kid\":\"first\"}");
      refused(header + "." + parts[1] + ".", "");
      refused(header + "." + parts[1] + "." + parts[2], "");
    }
    refused(parts[0] + "." + parts[1] + ".", "");
  }

  @Test
  void attack_hmacWithThePublicKey_isRefused() throws JOSEException {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build();
    SignedJWT token = new SignedJWT(header, TestIssuer.claims("ann", _ -> {}));
    token.sign(new MACSigner(issuer.key().toRSAPublicKey().getEncoded()));
    refused(token.serialize(), "alg");
  }

  @Test
  void attack_wrongIssuerOrAudience_isRefused() {
    refused(token(c -> c.issuer("https://evil.example")), "iss, aud");
    refused(token(c -> c.issuer(null)), "iss, aud");
    refused(token(c -> c.audience("another")), "iss, aud");
    refused(token(c -> c.audience((String) null)), "iss, aud");
    refused(token(c -> c.issuer(TestIssuer.ISSUER + "/")), "iss, aud");
    me(token(c -> c.audience(List.of("another", TestIssuer.AUDIENCE)))).is(200);
  }

  @Test
  void attack_outOfTime_isRefused() {
    refused(token(c -> c.expirationTime(in(-61))), "exp");
    refused(token(c -> c.expirationTime(null)), "exp, iat");
    refused(token(c -> c.issueTime(null)), "exp, iat");
    refused(token(c -> c.notBeforeTime(in(120))), "nbf");
    refused(token(c -> c.issueTime(in(120))), "iat");
    // Honest clocks differ a little.
    me(token(c -> c.expirationTime(in(-30)))).is(200);
    me(token(c -> c.notBeforeTime(in(30)).issueTime(in(30)))).is(200);
  }

  private static Date in(int seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  @Test
  void attack_withoutAUser_isRefused() {
    refused(token(c -> c.subject(null)), "sub");
    refused(token(c -> c.subject("")), "sub");
    refused(token(c -> c.subject("line\nbreak")), "sub");
    refused(token(c -> c.subject("x".repeat(129))), "sub");
  }

  @Test
  void attack_foreignKey_isRefused() {
    RSAKey foreign = TestIssuer.rsa("first");
    JWTClaimsSet claims = TestIssuer.claims("ann", _ -> {});
    refused(TestIssuer.token(header("first").build(), foreign, claims), "signature");
    refused(TestIssuer.token(header("foreign").build(), foreign, claims), "kid");
  }

  @Test
  void attack_keyBroughtAlong_isNotTrusted() {
    RSAKey foreign = TestIssuer.rsa("first");
    JWTClaimsSet claims = TestIssuer.claims("ann", _ -> {});
    JWSHeader embedded = header("first").jwk(foreign.toPublicJWK()).build();
    refused(TestIssuer.token(embedded, foreign, claims), "signature");
    try (TestIssuer evil = new TestIssuer()) {
      evil.publish(foreign);
      JWSHeader jku = header("first").jwkURL(URI.create(evil.url())).build();
      refused(TestIssuer.token(jku, foreign, claims), "signature");
      JWSHeader x5u = header("first").x509CertURL(URI.create(evil.url())).build();
      refused(TestIssuer.token(x5u, foreign, claims), "signature");
      assertThat(evil.reads()).isZero();
    }
  }

  @Test
  void attack_critAndOtherAlgorithms_areRefused() {
    JWTClaimsSet claims = TestIssuer.claims("ann", _ -> {});
    JWSHeader crit = header("first").criticalParams(Set.of("exp")).customParam("exp", 1).build();
    refused(TestIssuer.token(crit, issuer.key(), claims), "");
    for (JWSAlgorithm alg : List.of(JWSAlgorithm.RS384, JWSAlgorithm.RS512, JWSAlgorithm.PS256)) {
      JWSHeader header = new JWSHeader.Builder(alg).keyID("first").build();
      refused(TestIssuer.token(header, issuer.key(), claims), "alg");
    }
    // A key is for one algorithm, whatever the token says.
    JWSHeader es384 = new JWSHeader.Builder(JWSAlgorithm.ES384).keyID("wide").build();
    refused(TestIssuer.token(es384, wide, claims), "alg");
    String[] parts = TestIssuer.token(es384, wide, claims).split("\\.");
    String es256 = base64("{\"alg\":\"ES256\",\"kid\":\"wide\"}");
    refused(es256 + "." + parts[1] + "." + parts[2], "kid");
    String crossed = base64("{\"alg\":\"ES256\",\"kid\":\"first\"}");
    refused(crossed + "." + parts[1] + "." + parts[2], "kid");
  }

  @Test
  void attack_tamperedOrHuge_isRefused() {
    String[] parts = issuer.token("bob").split("\\.");
    String payload = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    refused(parts[0] + "." + base64(payload.replace("bob", "ann")) + "." + parts[2], "signature");
    String sign = parts[2].startsWith("A") ? "B" : "A";
    refused(parts[0] + "." + parts[1] + "." + sign + parts[2].substring(1), "signature");
    refused(token(c -> c.claim("padding", "x".repeat(9000))), "too long");
    for (String nonsense : List.of("x", "a.b.c", "..", "a.b.c.d.e", "%00", "{}")) {
      refused(nonsense, "");
    }
    // An ES256 signature of zeros (CVE-2022-21449).
    String es256 = base64("{\"alg\":\"ES256\",\"kid\":\"curve\"}");
    String zeros = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[64]);
    refused(es256 + "." + parts[1] + "." + zeros, "");
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void token_withoutScopes_mayReadWhatIsPublicAndNothingElse() {
    admin.board("closed");
    admin.board("open", "'visibility':'PUBLIC'");
    Api user = bearer(issuer.token("ann"));
    user.get(Api.BOARDS + "/open/top?limit=1").is(200);
    user.get(Api.BOARDS + "/closed/top?limit=1").refused(403, "FORBIDDEN");
    assertThat(user.get(Api.BOARDS).is(200).all("/leaderboards", "UUID"))
        .contains("open")
        .doesNotContain("closed");
    user.score(Api.BOARDS + "/open", "ann", "'score':1").refused(403, "FORBIDDEN");
    user.post("/api/v1/tenants", "{'tenantId':'x','name':'x'}").refused(403, "FORBIDDEN");
    admin.get(ME).refused(403, "FORBIDDEN");
    Api.anonymous(server).get(ME).refused(401, "UNAUTHENTICATED");
  }

  @Test
  void token_ofAService_hasItsScopes() {
    for (Map<String, Object> claim :
        List.<Map<String, Object>>of(
            Map.of("scope", "openid laurel:ingest laurel:read"),
            Map.of("scp", List.of("laurel:ingest", "laurel:read")))) {
      Api service =
          bearer(issuer.token("svc", c -> claim.forEach((name, value) -> c.claim(name, value))));
      String board = admin.board("fed-by-" + String.join("", claim.keySet()));
      service.score(board, "bob", "'score':1").is(200);
      assertThat(service.get(board + "/users/bob/rank").is(200).at("/score")).isEqualTo("1");
      service.post(Api.BOARDS, "{'UUID':'x'}").refused(403, "FORBIDDEN");
    }
    Api manager = bearer(issuer.token("svc", c -> c.claim("scope", "laurel:manage")));
    Answer made = manager.post(Api.BOARDS, "{'UUID':'by-token'}").is(201);
    assertThat(made.at("/createdBy")).isEqualTo("svc");
    Api greedy = bearer(issuer.token("svc", c -> c.claim("scope", "laurel:admin admin")));
    greedy.get("/api/v1/tenants").refused(403, "FORBIDDEN");
    bearer(issuer.token("svc", c -> c.claim("scope", 5))).get(ME).refused(401, "UNAUTHENTICATED");
  }

  @Test
  void credentials_twoAtOnce_areRefused() {
    admin
        .with("Authorization", "Bearer " + issuer.token("ann"))
        .get(ME)
        .refused(401, "UNAUTHENTICATED");
    bearer(issuer.token("ann")).with("Laurel-Tenant", "acme").get(ME).refused(403, "FORBIDDEN");
    // Another scheme is for a proxy in between.
    admin.with("Authorization", "Basic dTpw").get(Api.BOARDS).is(200);
  }

  @Test
  void idempotencyKeys_ofTwoUsers_areIndependent() {
    for (String name : List.of("svc-1", "svc-2")) {
      Api service = bearer(issuer.token(name, c -> c.claim("scope", "laurel:manage")));
      Answer made =
          service
              .post(Api.BOARDS, "{'UUID':'of-" + name + "'}", "Idempotency-Key", "the-same")
              .is(201);
      assertThat(made.replayed()).isFalse();
    }
  }

  @Test
  void header_ofAnotherType_doesNotMatter() {
    JWSHeader typed = header("first").type(new JOSEObjectType("at+jwt")).build();
    me(TestIssuer.token(typed, issuer.key(), TestIssuer.claims("ann", _ -> {}))).is(200);
  }
}
