package dev.laurel.server.settings;

/** A setting that cannot be used; the message is for the person who set it. */
public final class SettingException extends RuntimeException {
  public SettingException(String message) {
    super(message);
  }
}
