package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.causality.SmallProgram;

/**
 * Small programs have the same executions on an MPI, explored by plans, as on the embedded engine,
 * which enumerates them and knows nothing of races.
 */
class ClassesTest {
  private static final long SEED = Long.getLong("reprise.seed", System.nanoTime() % 100_000);

  /** {@code bench/explore --classes} runs hundreds. */
  private static final int PROGRAMS = Integer.getInteger("reprise.programs", 1);

  /** A deadlock is recognised at once; nothing else may stop a run of a machine that is busy. */
  private static final String STALL_SECONDS = "300";

  private static final int EXECUTIONS_MAX = Integer.getInteger("reprise.executions", 4);

  /**
   * Of a rank that was ended in a deadlock: then not all need be found, and the verdict says so.
   */
  private static final String MATCH_UNKNOWN = "left open what some receive took";

  private static final Pattern TEXT = Pattern.compile("\"text\" : \"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern NUMBER = Pattern.compile("\"(redundant|notFollowed)\" : (\\d+)");
  private static final Pattern TOLD = Pattern.compile("\\d+:p?\\d+=\\d+");

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void smallProgramsHaveTheSameExecutionsAsOnTheEmbeddedEngine(Mpi mpi) throws Exception {
    System.out.println("ClassesTest: programs drawn with -Dreprise.seed=" + SEED);
    Random random = new Random(SEED);
    Path steps = bench.compiled(mpi, "steps");
    for (int i = 0; i < PROGRAMS; i++) {
      SmallProgram program = SmallProgram.draw(random, 2, EXECUTIONS_MAX);
      Path file = Files.writeString(bench.directory().resolve("program"), program.text());
      Ran explored =
          bench
              .start(
                  Workbench.words(
                      "explore",
                      List.of("--stall-limit", STALL_SECONDS, "--format", "json"),
                      mpi.job(program.ranks(), steps, file)))
              .end();
      Set<Set<String>> found = executions(explored.out());
      String what = "program %d:%n%s%n%s".formatted(i, program.text(), explored);
      assertThat(program.executions()).as(what).containsAll(found);
      if (explored.out().contains(MATCH_UNKNOWN)) {
        continue;
      }
      assertThat(explored.out()).as(what).contains("\"complete\" : true");
      assertThat(found).as(what).isEqualTo(program.executions());
      Matcher numbers = NUMBER.matcher(explored.out());
      while (numbers.find()) {
        assertThat(numbers.group(2))
            .as("%s of program %d: %s", numbers.group(1), i, explored)
            .isEqualTo("0");
      }
    }
  }

  /** What the ranks printed, by outcome; behind it may stand what a deadlock is about. */
  private static Set<Set<String>> executions(String json) {
    Set<Set<String>> executions = new HashSet<>();
    Matcher texts = TEXT.matcher(json);
    while (texts.find()) {
      executions.add(
          Arrays.stream(texts.group(1).split("\\\\n", -1))
              .filter(line -> TOLD.matcher(line).matches())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    return executions;
  }
}
