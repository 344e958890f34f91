package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call leaves in the program's variables, down to the fields that MPI leaves undefined. */
class OutArgumentsTest {
  private static final int RANKS = 2;

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void aCallLeavesTheSameWithRepriseAsWithout(Mpi mpi) {
    var job = mpi.job(RANKS, bench.compiled(mpi, "out_arguments"));
    Ran plain = bench.run(job);
    assertThat(plain.status()).as("%s", plain).isZero();
    assertThat(plain.out()).as("%s", plain).contains("fails: MPI_Iprobe", "no request: MPI_Start");

    isLike(plain, bench.record(job));
    Ran replay = bench.replay();
    isLike(plain, replay);
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
    isLike(plain, bench.record(job, "--events"));
  }

  private static void isLike(Ran plain, Ran ran) {
    assertThat(ran.out().lines()).as("%s", ran.said()).containsExactlyElementsOf(lines(plain));
    assertThat(ran.status()).as("%s", ran).isZero();
  }

  private static Iterable<String> lines(Ran plain) {
    return plain.out().lines().toList();
  }
}
