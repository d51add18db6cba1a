package dev.laurel.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certifies servers and clients, as a private authority does; made by keytool for one test. */
public final class TestAuthority {
  private static final String PASSWORD = "password";

  private final Path folder;
  private final Path store;

  /** Where the two halves of somebody's identity are, in PEM. */
  public record Identity(Path cert, Path key) {}

  public TestAuthority(Path folder, String name) {
    this.folder = folder;
    this.store = folder.resolve(name + ".p12");
    keytool("-genkeypair", "-alias", "ca", "-dname", "CN=" + name, "-ext", "bc:c");
  }

  /** Its own certificate, for those who trust it. */
  public Path certificate() {
    return write(store.getFileName() + ".ca.pem", pem("CERTIFICATE", encoded("ca")));
  }

  /** For a server on this machine, or for a client. */
  public Identity issue(String name) {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-dname",
        "CN=" + name,
        "-signer",
        "ca",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1");
    try {
      Key key = open().getKey(name, PASSWORD.toCharArray());
      return new Identity(
          write(name + ".cert.pem", pem("CERTIFICATE", encoded(name))),
          write(name + ".key.pem", pem("PRIVATE KEY", key.getEncoded())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] encoded(String alias) {
    try {
      Certificate certificate = open().getCertificate(alias);
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String what, byte[] encoded) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded), what);
  }

  private KeyStore open() {
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore opened = KeyStore.getInstance("PKCS12");
      opened.load(in, PASSWORD.toCharArray());
      return opened;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void keytool(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
