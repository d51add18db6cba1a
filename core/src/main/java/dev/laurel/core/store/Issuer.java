package dev.laurel.core.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens a tenant accepts: those of this issuer for this audience, signed by these keys. A
 * pair of issuer and audience belongs to one tenant.
 *
 * @param id 0 for the one of the settings, which is not stored
 * @param jwksUrl where the keys are; null if they are given here
 * @param keys a JWK set; null if they are fetched
 * @param userPrefix what the ids of its users begin with, before the token's subject: a subject
 *     says who somebody is only to the issuer that wrote it. Issuers with the same prefix share
 *     users
 */
public record Issuer(
    long id,
    long tenant,
    String issuer,
    String audience,
    @Nullable String jwksUrl,
    @Nullable String keys,
    Set<Algorithm> algorithms,
    String userPrefix,
    long createdAt) {

  /** The signatures that are accepted. Never none, and never one whose key a verifier could use. */
  public enum Algorithm {
    RS256,
    ES256
  }
}
