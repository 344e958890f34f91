package org.reprise.launch.embedded;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.reprise.ranks.host.ProgramCommand;

/**
 * A Java program to run on the embedded engine, and what the engine is told. As words it is a
 * command that does so: {@code reprise record -n 4 --seed 7 Program.java}.
 *
 * @param seed decides who runs and which message is taken; empty: ranks run in parallel
 * @param syncSends whether a standard send waits until its message is received
 */
public record EmbeddedCommand(
    int ranks, OptionalLong seed, boolean syncSends, ProgramCommand program) {
  private static final String REPRISE = "reprise";
  private static final String RANKS = "-n";
  private static final Set<String> VERBS = Set.of("run", "record", "enumerate");

  /** So many words stand before the number of ranks. */
  private static final int START_WORDS = 3;

  /**
   * The words by which a user would type it.
   *
   * @param verb what is to be done with it: "record", "enumerate"
   */
  public List<String> words(String verb) {
    List<String> words = new ArrayList<>(List.of(REPRISE, verb, RANKS));
    words.add(String.valueOf(ranks));
    seed.ifPresent(known -> words.addAll(List.of("--seed", String.valueOf(known))));
    if (syncSends) {
      words.add("--sync-sends");
    }
    words.addAll(program.words());
    return words;
  }

  /** What {@link #words} made, read again. */
  public static EmbeddedCommand parse(List<String> words) {
    if (words.size() <= START_WORDS
        || !words.get(0).equals(REPRISE)
        || !VERBS.contains(words.get(1))
        || !words.get(2).equals(RANKS)) {
      throw new IllegalArgumentException("not a command of the embedded engine: " + words);
    }
    Iterator<String> rest = words.listIterator(START_WORDS);
    int ranks = Integer.parseInt(rest.next());
    OptionalLong seed = OptionalLong.empty();
    boolean syncSends = false;
    List<String> program = new ArrayList<>();
    while (rest.hasNext()) {
      String word = rest.next();
      if (program.isEmpty() && word.equals("--seed") && rest.hasNext()) {
        seed = OptionalLong.of(Long.parseLong(rest.next()));
      } else if (program.isEmpty() && word.equals("--sync-sends")) {
        syncSends = true;
      } else {
        program.add(word);
      }
    }
    return new EmbeddedCommand(ranks, seed, syncSends, ProgramCommand.parse(program));
  }
}
