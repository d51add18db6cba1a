package dev.laurel.server.cli;

import dev.laurel.server.client.ClientTls;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a verb needs to talk to a server by HTTPS where the usual trust is not enough. */
final class TlsOptions {
  private final Map<String, String> env;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "whom to trust with an https URL, in PEM%nLAUREL_CA, default: whom Java trusts")
  @Nullable String ca;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "a certificate to show to the server, in PEM%nLAUREL_CERT, default: none")
  @Nullable String cert;

  @Option(
      names = "--cert-key",
      paramLabel = "FILE",
      description = "its private key, in PEM%nLAUREL_CERT_KEY")
  @Nullable String certKey;

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  TlsOptions(Map<String, String> env) {
    this.env = env;
  }

  ClientTls read() {
    try {
      return ClientTls.of(
          given(ca, "LAUREL_CA"), given(cert, "LAUREL_CERT"), given(certKey, "LAUREL_CERT_KEY"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable String given(@Nullable String option, String name) {
    String value = option == null ? env.get(name) : option;
    return value == null || value.isEmpty() ? null : value;
  }
}
