package dev.laurel.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.server.settings.Configuration;
import dev.laurel.server.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Gives tokens to users, and publishes its keys as issuers do. Thread-safe. */
public final class TestIssuer implements AutoCloseable {
  public static final String ISSUER = "https://login.example";
  public static final String AUDIENCE = "laurel";

  private final HttpServer server;
  private final AtomicInteger reads = new AtomicInteger();
  private volatile RSAKey key = rsa("first");
  private volatile List<JWK> published = List.of(key);
  private volatile int status = 200;

  public TestIssuer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/jwks.json", this::serve);
    server.start();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      reads.incrementAndGet();
      byte[] body = keySet().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** What it publishes: the public halves. */
  public String keySet() {
    return new JWKSet(published).toString(true);
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/jwks.json";
  }

  /** Settings by which the tenant default accepts its tokens. */
  public UnaryOperator<Configuration> settings() {
    return settings ->
        settings
            .with(Settings.JWT_JWKS_URL, url())
            .with(Settings.JWT_ISSUER, ISSUER)
            .with(Settings.JWT_AUDIENCE, AUDIENCE);
  }

  public int reads() {
    return reads.get();
  }

  public RSAKey key() {
    return key;
  }

  public void publish(JWK... keys) {
    published = List.of(keys);
  }

  /** Signs with another key from now on. */
  public void use(RSAKey next) {
    key = next;
  }

  /** What its server answers. */
  public void answer(int code) {
    status = code;
  }

  public static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public static ECKey ec(String id, Curve curve) {
    try {
      return new ECKeyGenerator(curve).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A token as it should be, for an hour. */
  public String token(String subject) {
    return token(subject, claims -> {});
  }

  /** With other claims. */
  public String token(String subject, Consumer<JWTClaimsSet.Builder> change) {
    return token(
        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
        key,
        claims(subject, change));
  }

  public static JWTClaimsSet claims(String subject, Consumer<JWTClaimsSet.Builder> change) {
    Instant now = Instant.now();
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(AUDIENCE)
            .subject(subject)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plusSeconds(3600)))
            .jwtID(UUID.randomUUID().toString());
    change.accept(claims);
    return claims.build();
  }

  /** Anything, signed by any key. */
  public static String token(JWSHeader header, JWK key, JWTClaimsSet claims) {
    try {
      JWSSigner signer =
          key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner(key.toRSAKey());
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
