package dev.laurel.core.model;

/** What Kafka takes as a topic's name, and so what names that become a part of one are made of. */
public final class Names {
  private Names() {}

  public static void require(String field, String name, int max) {
    boolean ok =
        !name.isEmpty()
            && name.length() <= max
            && !name.equals(".")
            && !name.equals("..")
            && name.chars()
                .allMatch(
                    c ->
                        (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '.'
                            || c == '_'
                            || c == '-');
    if (!ok) {
      throw Rejection.invalid(field, name, "1.." + max + " of letters, digits and . _ -")
          .asException();
    }
  }
}
