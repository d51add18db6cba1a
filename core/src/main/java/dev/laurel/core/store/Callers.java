package dev.laurel.core.store;

/**
 * Who sent a line, as a number. API keys have one, from 1 on, and 0 is nobody that is known. A
 * topic or the issuer of a token is known by its name only, and has a number below 0 that is made
 * of it: so no table has to know all of them, and a number never becomes somebody else's.
 *
 * <p>What kind of caller it is, is part of the number; 45 bits of SHA-256 follow, which with the
 * kind fit the six bytes that SQLite has for it.
 */
public final class Callers {
  private static final int KIND_BITS = 2;
  private static final int NAME_BITS = 45;
  private static final long TOPIC = 1;
  private static final long BEARER = 2;
  private static final long AWARD = 3;

  private Callers() {}

  /** Events of a Kafka topic. */
  public static long ofTopic(String name) {
    return number(TOPIC, name);
  }

  /** Whoever bears a token of this issuer. */
  public static long ofIssuer(String issuer) {
    return number(BEARER, issuer);
  }

  /** The rules, which gave points for an action to the bearer of a token of this issuer. */
  public static long ofAwards(String issuer) {
    return number(AWARD, issuer);
  }

  /** The same for the number of a bearer. */
  public static long awardsOf(long bearer) {
    return bearer - (AWARD - BEARER);
  }

  /** Nobody but the rules has such a number. */
  public static boolean isAwards(long caller) {
    return caller < 0 && (-caller & ((1 << KIND_BITS) - 1)) == AWARD;
  }

  private static long number(long kind, String name) {
    return -(Digest.of(name).high() >>> (Long.SIZE - NAME_BITS) << KIND_BITS | kind);
  }
}
