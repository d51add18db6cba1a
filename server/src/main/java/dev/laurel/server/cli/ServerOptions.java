package dev.laurel.server.cli;

import dev.laurel.server.client.ClientTls;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which server a command talks to, and as whom; the same for every verb that does. */
final class ServerOptions {
  private static final String DEFAULT_URL = "http://127.0.0.1:8080";

  private final Map<String, String> env;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "the server%nLAUREL_URL, default: " + DEFAULT_URL)
  @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "an API key; others see it in the list of processes%n"
              + "LAUREL_KEY or LAUREL_ADMIN_KEY, default: none")
  @Nullable String key;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      description = "whose boards are meant, with the platform admin's key")
  @Nullable String tenant;

  @Mixin final TlsOptions tls;

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  ServerOptions(Map<String, String> env) {
    this.env = env;
    this.tls = new TlsOptions(env);
  }

  String url() {
    String given = url != null ? url : first("LAUREL_URL");
    String text = given == null ? DEFAULT_URL : given.replaceAll("/+$", "");
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null && text.matches("https?://.*")) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // Refused below.
    }
    throw new ParameterException(
        command.commandLine(),
        "--url: " + text + " (expected: http://HOST:PORT or https://HOST:PORT)");
  }

  @Nullable String key() {
    return key != null ? key : first("LAUREL_KEY", "LAUREL_ADMIN_KEY");
  }

  @Nullable String tenant() {
    return tenant;
  }

  ClientTls tls() {
    return tls.read();
  }

  ServerCalls connect() {
    return new ServerCalls(url(), key(), tenant(), tls());
  }

  private @Nullable String first(String... names) {
    for (String name : names) {
      String value = env.get(name);
      if (value != null && !value.isEmpty()) {
        return value;
      }
    }
    return null;
  }
}
