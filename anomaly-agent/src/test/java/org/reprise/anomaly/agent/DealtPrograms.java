package org.reprise.anomaly.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.reprise.anomaly.agent.Programs.Program;

/**
 * The programs of the suite as a seed deals them out, to tests that cannot run all of them every
 * time: a program and its twin always together. {@code -Dreprise.seed=N} deals the same again;
 * {@code -Dreprise.programs=all} gives everybody all.
 *
 * @param pairs in the order in which they are dealt
 */
record DealtPrograms(long seed, List<List<Program>> pairs) {
  private static final int SEEDS = 100_000;
  private static final boolean ALL = "all".equals(System.getProperty("reprise.programs"));
  private static final Map<String, String> TWINS = Map.of("races", "clean", "broken", "sound");

  static DealtPrograms dealt(String test) throws IOException {
    long seed = anySeed();
    Map<String, List<Program>> twins = new TreeMap<>();
    for (Program program : Programs.all()) {
      String folder = TWINS.getOrDefault(program.folder(), program.folder());
      twins.computeIfAbsent(folder + "/" + program.name(), key -> new ArrayList<>()).add(program);
    }
    List<List<Program>> pairs = new ArrayList<>(twins.values());
    Collections.shuffle(pairs, new Random(seed));
    System.out.printf("%s: programs dealt with -Dreprise.seed=%d%n", test, seed);
    return new DealtPrograms(seed, pairs);
  }

  /** So many of them, drawn by a seed; all of them where everybody gets all programs. */
  static <T> List<T> drawn(String test, int count, List<T> all) {
    if (ALL) {
      return all;
    }
    long seed = anySeed();
    System.out.printf("%s: drawn with -Dreprise.seed=%d%n", test, seed);
    List<T> drawn = new ArrayList<>(all);
    Collections.shuffle(drawn, new Random(seed));
    return drawn.subList(0, count);
  }

  private static long anySeed() {
    return Long.getLong("reprise.seed", System.nanoTime() % SEEDS);
  }

  /** One of so many hands that no two have a program in common. */
  List<Program> hand(int number, int hands) {
    List<Program> hand = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      if (ALL || i % hands == number) {
        hand.addAll(pairs.get(i));
      }
    }
    return hand;
  }
}
