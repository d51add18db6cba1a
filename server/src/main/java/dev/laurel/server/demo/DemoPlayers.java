package dev.laurel.server.demo;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Who plays: the same people in every run, best first. */
final class DemoPlayers {
  static final int COUNT = 400;

  private static final long SEED = 2026;

  private static final List<String> NAMES =
      List.of(
          "Aiko", "Amara", "Anouk", "Arjun", "Bela", "Carlos", "Chidi", "Clara", "Dario", "Elif",
          "Emil", "Farah", "Finn", "Gita", "Hana", "Hugo", "Ines", "Ivo", "Jamal", "Juna", "Kaito",
          "Kira", "Lars", "Leila", "Lucia", "Luka", "Maja", "Malik", "Mateo", "Mina", "Nadia",
          "Nils", "Noor", "Oskar", "Priya", "Quinn", "Rafa", "Rosa", "Samir", "Saskia", "Tariq",
          "Thea", "Tomas", "Uma", "Viktor", "Wren", "Xenia", "Yara", "Yusuf", "Zoe");
  private static final List<String> FIRST =
      List.of(
          "Amber",
          "Arctic",
          "Cosmic",
          "Crimson",
          "Electric",
          "Hidden",
          "Ivory",
          "Lunar",
          "Neon",
          "Nimble",
          "Quiet",
          "Rapid",
          "Silver",
          "Solar",
          "Stormy",
          "Velvet");
  private static final List<String> SECOND =
      List.of(
          "Badger", "Comet", "Crane", "Falcon", "Fox", "Heron", "Lynx", "Marten", "Otter", "Panda",
          "Pixel", "Raven", "Rocket", "Tiger", "Wolf", "Yeti");

  private final List<String> ids;

  DemoPlayers() {
    Random random = new Random(SEED);
    Set<String> found = new LinkedHashSet<>();
    while (found.size() < COUNT) {
      found.add(name(random));
    }
    ids = new ArrayList<>(found);
  }

  private static String name(Random random) {
    String person = pick(NAMES, random);
    return switch (random.nextInt(4)) {
      case 0 -> person;
      case 1 -> person + " " + (char) ('A' + random.nextInt(26)) + ".";
      case 2 -> pick(FIRST, random) + pick(SECOND, random);
      default -> person.toLowerCase(Locale.ROOT) + "_" + (10 + random.nextInt(90));
    };
  }

  private static String pick(List<String> words, Random random) {
    return words.get(random.nextInt(words.size()));
  }

  String id(int number) {
    return ids.get(number);
  }

  /** From nearly 1 for the first to 0 for the last. */
  double skill(int number) {
    return 1 - (double) number / COUNT;
  }

  /** Good ones play more often, so that the top moves too. */
  int someone(Random random) {
    double at = random.nextDouble();
    return (int) (COUNT * at * at);
  }
}
