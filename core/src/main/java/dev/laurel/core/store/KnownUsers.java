package dev.laurel.core.store;

/**
 * The users of a tenant whom somebody knows: all up to a number, in one epoch.
 *
 * @param last 0 for nobody, in whichever epoch
 */
public record KnownUsers(long epoch, int last) {
  public static final KnownUsers NOBODY = new KnownUsers(0, 0);
}
