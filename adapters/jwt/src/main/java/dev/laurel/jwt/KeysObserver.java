package dev.laurel.jwt;

/** Hears whether the keys of issuers can be read. Called from any thread, and returns at once. */
public interface KeysObserver {
  /**
   * They cannot. Told once, however often they are tried, until they are {@link #back}.
   *
   * @param from where they should be
   */
  void failed(String from, Throwable why);

  /**
   * They can again.
   *
   * @param attempts that failed meanwhile
   */
  void back(String from, int attempts);
}
