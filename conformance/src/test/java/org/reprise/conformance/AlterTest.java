package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of outcome can be changed, and the program goes on with the other one. */
class AlterTest {
  private static final int RANKS = 3;

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void aProbeAWaitanyAndPollsComeToSomethingElse(Mpi mpi) {
    List<String> job = mpi.job(RANKS, bench.compiled(mpi, "choices_to_alter"));
    Ran first = bench.record(job, "--events", "--name", "first");
    assertThat(first.status()).as("%s", first).isZero();
    boolean sawOne = first.out().contains("probe saw 1");
    alters("probe saw " + (sawOne ? 2 : 1), "--probe", "0:1", "--take", sawOne ? "2" : "1");
    int other = first.out().contains("waitany 0") ? 1 : 0;
    alters("waitany " + other, "--waitany", "0:6", "--index", String.valueOf(other));
    // The last event before MPI_Finalize is the Test, if it succeeded.
    if (first.out().contains("test yes")) {
      String test = first.out().contains("iprobe later") ? "0:13" : "0:12";
      alters("test no", "--poll", test, "--answer", "no");
    }
    if (first.out().contains("iprobe later")) {
      alters("iprobe at once", "--poll", "0:8", "--answer", "yes");
    } else {
      alters("iprobe later", "--poll", "0:8", "--answer", "no");
    }
  }

  private void alters(String expected, String... options) {
    List<String> words = new ArrayList<>(List.of("alter", "first"));
    words.addAll(List.of(options));
    Ran altered = bench.reprise(words.toArray(String[]::new));
    assertThat(altered.status()).as("%s", altered).isZero();
    assertThat(altered.said()).as("%s", altered).contains("it did what was changed");
    assertThat(altered.out()).as("%s", altered).contains(expected);
    assertThat(bench.replay().saysSameOrder()).as("%s", List.of(options)).isTrue();
  }
}
