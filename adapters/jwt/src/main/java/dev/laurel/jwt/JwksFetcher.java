package dev.laurel.jwt;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;

/** Reads key sets from where they are published. Blocking. Thread-safe. */
record JwksFetcher(JwtVerifier.Documents documents) {
  /**
   * @param trusted whether the operator named it; a tenant's may lead only where tenants may
   */
  KeySet fetch(URI uri, boolean trusted) throws IOException, ParseException, InterruptedException {
    return KeySet.parse(
        trusted && "file".equals(uri.getScheme())
            ? Files.readString(Path.of(uri))
            : documents.read(uri, trusted));
  }
}
