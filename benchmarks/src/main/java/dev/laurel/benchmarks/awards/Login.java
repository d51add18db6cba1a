package dev.laurel.benchmarks.awards;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;

/** Logs users in: signs their tokens (RS256, 2048 bits), and publishes the key by HTTP. */
final class Login implements AutoCloseable {
  static final String ISSUER = "https://login.example";
  static final String AUDIENCE = "laurel";
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final KeyPair keys;
  private final HttpServer server;

  Login() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      keys = generator.generateKeyPair();
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] body = keySet().getBytes(StandardCharsets.US_ASCII);
    server.createContext(
        "/jwks.json",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
  }

  private String keySet() {
    RSAPublicKey key = key();
    return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k\",\"alg\":\"RS256\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(number(key.getModulus()), number(key.getPublicExponent()));
  }

  private static String number(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return BASE64.encodeToString(
        bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
  }

  RSAPublicKey key() {
    return (RSAPublicKey) keys.getPublic();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/jwks.json";
  }

  static String user(int number) {
    return "player-" + number;
  }

  /** One for each user. */
  String[] tokens(int users) {
    String[] tokens = new String[users];
    IntStream.range(0, users).parallel().forEach(i -> tokens[i] = token(user(i)));
    return tokens;
  }

  private String token(String user) {
    long now = System.currentTimeMillis() / 1000;
    String text =
        encode("{\"alg\":\"RS256\",\"kid\":\"k\"}")
            + "."
            + encode(
                "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"iat\":%d,\"exp\":%d}"
                    .formatted(ISSUER, AUDIENCE, user, now, now + 3600));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return text + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encode(String json) {
    return BASE64.encodeToString(json.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
