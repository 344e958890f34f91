package org.reprise.launch.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.reprise.launch.Golden;
import org.reprise.launch.run.Replay;
import org.reprise.trace.Rank;

class VerdictTextTest {
  private static final Rank ZERO = new Rank(0);
  private static final Rank ONE = new Rank(1);
  private static final Rank TWO = new Rank(2);

  private static final Verdict.SoftDifferences POLLS =
      new Verdict.SoftDifferences(ZERO, 12, 1, 0, 0, false, false);
  private static final Verdict.SoftDifferences EVERYTHING =
      new Verdict.SoftDifferences(ONE, 1, 7, 2, 3, true, true);

  private static final List<Verdict> EVERY_KIND =
      List.of(
          new Verdict.SameOrder(4, 1234, List.of(), false, List.of(), List.of(), List.of()),
          new Verdict.SameOrder(
              1, 1, List.of(), false, List.of(), List.of(), List.of(POLLS, EVERYTHING)),
          new Verdict.SameOrder(
              3,
              40,
              List.of(
                  place(ZERO, Optional.of("MPI_Bcast"), "called MPI_Abort with 3"),
                  place(ONE, Optional.empty(), "exited with status 3 without MPI_Finalize"),
                  place(TWO, Optional.of("MPI_Recv"), "was killed")),
              false,
              List.of(new Verdict.RankProgress(TWO, Optional.of(13L), 28)),
              List.of(),
              List.of()),
          new Verdict.SameOrder(
              1,
              0,
              List.of(place(ZERO, Optional.of("MPI_Recv"), "was killed")),
              true,
              List.of(),
              List.of(),
              List.of()),
          new Verdict.SameOrder(
              4,
              20,
              List.of(),
              false,
              List.of(),
              List.of("MPI_Fetch_and_op, MPI_Win_lock", "clocks and random sources"),
              List.of()),
          new Verdict.SameOrder(
              3,
              40,
              List.of(place(ZERO, Optional.of("MPI_Bcast"), "called MPI_Abort with 3")),
              false,
              List.of(new Verdict.RankProgress(TWO, Optional.of(13L), 28)),
              List.of("MPI_Comm_spawn"),
              List.of()),
          new Verdict.Diverged(
              new Verdict.Departure(
                  ONE,
                  Optional.of(17L),
                  Optional.of("MPI_Probe"),
                  42,
                  "a blocking receive took a message of source 2, tag 5",
                  "MPI_Probe from any source, tag 3"),
              List.of(ZERO, TWO),
              List.of(POLLS)),
          new Verdict.Diverged(
              new Verdict.Departure(
                  TWO,
                  Optional.empty(),
                  Optional.empty(),
                  9,
                  "12 messages with order hash 00000000000000aa",
                  "13 messages with order hash 00000000000000bb"),
              List.of(),
              List.of()),
          new Verdict.Stuck(
              30,
              List.of(
                  new Verdict.RankPlace(
                      ZERO,
                      Optional.of("MPI_Recv"),
                      42,
                      Optional.empty(),
                      Optional.of("a message of source 2"),
                      ""),
                  new Verdict.RankPlace(
                      ONE,
                      Optional.empty(),
                      100_000,
                      Optional.empty(),
                      Optional.empty(),
                      "polling in vain"),
                  new Verdict.RankPlace(
                      TWO, Optional.empty(), 9, Optional.empty(), Optional.empty(), "finished")),
              List.of()),
          new Verdict.EndedEarly(
              List.of(
                  new Verdict.RankProgress(ZERO, Optional.of(40L), 100),
                  new Verdict.RankProgress(ONE, Optional.empty(), 1)),
              List.of()),
          new Verdict.Interrupted(
              List.of(new Verdict.RankProgress(ZERO, Optional.of(0L), 1)), List.of()));

  private static Verdict.RankPlace place(Rank rank, Optional<String> call, String how) {
    return new Verdict.RankPlace(rank, call, 1234, Optional.empty(), Optional.empty(), how);
  }

  @Test
  void everyVerdictReadsAsItShould() throws Exception {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : EVERY_KIND) {
      VerdictText.lines(verdict).forEach(line -> text.append(line).append('\n'));
      text.append('\n');
    }
    Golden.assertMatches("verdicts.txt", text.toString());
  }

  @Test
  void theExitStatusIsTheProgramsWhereTheOrderWasTheSame() {
    for (Verdict verdict : EVERY_KIND) {
      boolean programs =
          verdict instanceof Verdict.SameOrder || verdict instanceof Verdict.Interrupted;
      assertThat(new Replay(verdict, 3, List.of(), Optional.empty()).exitStatus())
          .as("%s", verdict)
          .isEqualTo(programs ? 3 : 67);
    }
  }
}
