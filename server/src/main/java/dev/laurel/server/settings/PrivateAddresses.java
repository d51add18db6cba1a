package dev.laurel.server.settings;

/** Whether webhooks may go to private addresses; {@code AUTO}: if the server binds to loopback. */
public enum PrivateAddresses {
  AUTO,
  ALLOW,
  REFUSE
}
