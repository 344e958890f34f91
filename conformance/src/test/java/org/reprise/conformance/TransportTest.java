package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replay holds where the transport does less for the program than it did when recorded. */
class TransportTest {
  private static final int RANKS = 3;

  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void sendsThatWereBufferedAreDoneInTheReplayThoughNothingIsBuffered(Mpi mpi) {
    Path program = bench.compiled(mpi, "buffered_isend");
    Ran plain = bench.run(unbuffered(mpi, program));
    Ran recording = bench.record(mpi.job(RANKS, program));
    assertThat(sendsThatWaited(plain))
        .as("otherwise nothing is tested: %s %s", plain, recording)
        .isGreaterThan(sendsThatWaited(recording));
    Ran replay = bench.replayWith(unbuffered(mpi, program));
    assertThat(replay.out()).as("%s", replay).isEqualTo(recording.out());
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
    assertThat(replay.said()).containsPattern("note: rank \\d: \\d+ sends? finished later");
  }

  private static int sendsThatWaited(Ran ran) {
    Matcher number = Pattern.compile("waited for their receiver: (\\d+)").matcher(ran.out());
    assertThat(number.find()).as("%s", ran).isTrue();
    return Integer.parseInt(number.group(1));
  }

  /** The same job, with every message of more than a few bytes waiting for its receiver. */
  private static List<String> unbuffered(Mpi mpi, Path program) {
    List<String> words = new ArrayList<>(mpi.job(RANKS, program));
    words.addAll(
        1,
        switch (mpi) {
          case OPEN_MPI -> List.of("--mca", "btl_vader_eager_limit", "128");
          case MPICH -> List.of("-genv", "UCX_RNDV_THRESH", "64");
        });
    return words;
  }
}
