package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.run.RecordedRun;

/** What is open besides receives is answered otherwise, and nothing before it changes. */
class AlterTest {
  private static final int RANKS = 3;

  /** Drawn by a seed, which is printed; {@code bench/explore --answers} takes all. */
  private static final int DRAWN = Integer.getInteger("reprise.answers", 1);

  private static final long SEED = Long.getLong("reprise.seed", System.nanoTime() % 100_000);

  /** In the order in which the program asks. */
  private enum Question {
    PROBE("Probe"),
    WAITANY("Waitany"),
    TEST("Test"),
    IPROBE("Iprobe");

    private final String call;

    Question(String call) {
      this.call = call;
    }
  }

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void questionsAreAnsweredOtherwise(Mpi mpi) throws Exception {
    System.out.println("AlterTest: questions drawn with -Dreprise.seed=" + SEED);
    Ran recorded =
        bench.record(mpi.job(RANKS, bench.compiled(mpi, "answers")), "--events", "--name", "asked");
    int[] before = answers(recorded);
    RecordedRun run = bench.latest();
    List<Question> drawn = new ArrayList<>(Arrays.asList(Question.values()));
    Collections.shuffle(drawn, new Random(SEED));
    for (Question question : drawn.subList(0, DRAWN)) {
      int other = (question == Question.WAITANY ? 1 : RANKS) - before[question.ordinal()];
      String at = "0:" + event(run, question);
      Ran altered =
          switch (question) {
            case PROBE, IPROBE ->
                bench.reprise(
                    "alter",
                    "asked",
                    "--probe",
                    at,
                    "--take",
                    String.valueOf(other),
                    "--stall-limit",
                    "300");
            case WAITANY ->
                bench.reprise(
                    "alter",
                    "asked",
                    "--waitany",
                    at,
                    "--index",
                    String.valueOf(other),
                    "--stall-limit",
                    "300");
            case TEST ->
                bench.reprise(
                    "alter", "asked", "--poll", at, "--answer", "no", "--stall-limit", "300");
          };
      assertThat(altered.said()).as("%s", altered).contains("it did what was changed");
      int[] after = answers(altered);
      for (Question earlier : Question.values()) {
        if (earlier.compareTo(question) < 0) {
          assertThat(after[earlier.ordinal()])
              .as("%s: %s", earlier, altered)
              .isEqualTo(before[earlier.ordinal()]);
        }
      }
      switch (question) {
        case PROBE, IPROBE, WAITANY ->
            assertThat(after[question.ordinal()]).as("%s", altered).isEqualTo(other);
        case TEST ->
            assertThat(after[question.ordinal()])
                .as("%s", altered)
                .isGreaterThan(before[question.ordinal()]);
      }
      assertThat(bench.replay().saysSameOrder()).as("%s", altered).isTrue();
    }
  }

  /** By question. */
  private static int[] answers(Ran ran) {
    int[] answers = new int[Question.values().length];
    for (Question question : Question.values()) {
      String name = question.call.toLowerCase(Locale.ROOT) + " ";
      String line =
          ran.out().lines().filter(each -> each.startsWith(name)).findFirst().orElse(name);
      assertThat(line).as("%s", ran).isNotEqualTo(name);
      answers[question.ordinal()] = Integer.parseInt(line.substring(name.length()).strip());
    }
    return answers;
  }

  /** Where the question was answered: polls that failed before it are events, too. */
  private static int event(RecordedRun run, Question question) {
    List<String> names = run.description().callNames();
    try (EventReader events = run.directory().openEvents(new Rank(0))) {
      for (int number = 0; events.advance(); number++) {
        if (names.get(events.call()).equals(question.call) && events.kind() != EventKind.POLLS) {
          return number;
        }
      }
    }
    throw new AssertionError("rank 0 did not ask: " + question);
  }
}
