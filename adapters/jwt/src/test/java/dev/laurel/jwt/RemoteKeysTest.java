package dev.laurel.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An issuer that cannot be reached is said once, and asked less and less often. */
class RemoteKeysTest {
  @TempDir Path folder = Path.of("");

  private final List<String> heard = new ArrayList<>();

  private final KeysObserver observer =
      new KeysObserver() {
        @Override
        public void failed(String from, Throwable why) {
          heard.add("failed");
        }

        @Override
        public void back(String from, int attempts) {
          heard.add("back after " + attempts);
        }
      };

  @Test
  void look_failsAgainAndAgain_isSaidOnceAndWhenItIsBack() throws Exception {
    Path file = folder.resolve("jwks.json");
    JwksFetcher fetcher = new JwksFetcher((_, _) -> "");
    RemoteKeys keys = new RemoteKeys(file.toUri(), true, fetcher, observer);
    keys.look();
    keys.look();
    assertThat(heard).containsExactly("failed");
    Files.writeString(
        file,
        new JWKSet(new ECKeyGenerator(Curve.P_256).keyID("a").generate().toPublicJWK())
            .toString(true));
    keys.look();
    assertThat(heard).containsExactly("failed", "back after 2");
    keys.look();
    assertThat(heard).hasSize(2);
  }

  @Test
  void pause_afterEachFailure_isTwiceAsLong() {
    assertThat(Duration.ofNanos(RemoteKeys.pause(1))).hasSeconds(10);
    assertThat(Duration.ofNanos(RemoteKeys.pause(2))).hasSeconds(20);
    assertThat(Duration.ofNanos(RemoteKeys.pause(5))).hasSeconds(160);
    assertThat(Duration.ofNanos(RemoteKeys.pause(6))).hasMinutes(5);
    assertThat(Duration.ofNanos(RemoteKeys.pause(1000))).hasMinutes(5);
  }
}
