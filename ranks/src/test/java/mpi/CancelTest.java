package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.Enumeration;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.RankStreams;

/** A cancel comes in time or too late, also where the receive names its source. */
class CancelTest {
  private static final String PROGRAM =
      """
      import mpi.*;
      class Cancels {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int[] a = new int[1];
          if (MPI.COMM_WORLD.Rank() == 1) {
            MPI.COMM_WORLD.Send(new int[] {7}, 0, 1, MPI.INT, 0, 0);
          } else {
            Request request = MPI.COMM_WORLD.Irecv(a, 0, 1, MPI.INT, 1, 0);
            request.CANCEL();
            boolean inTime = request.Wait().Test_cancelled();
            if (inTime) {
              MPI.COMM_WORLD.Recv(a, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            }
            System.out.print(inTime ? "in time, then " + a[0] : "too late: " + a[0]);
          }
          MPI.Finalize();
        }
      }
      """;

  @TempDir private Path scratch;

  private ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private HostedProgram program(String cancel) throws Exception {
    Files.writeString(scratch.resolve("Cancels.java"), PROGRAM.replace("CANCEL", cancel));
    return HostedProgram.open(ProgramCommand.parse(List.of("Cancels.java")), scratch);
  }

  private HostedRanks ranks(HostedProgram program) {
    printed = new ByteArrayOutputStream();
    ByteArrayOutputStream own = printed;
    return new HostedRanks(
        program,
        List.of(),
        rank ->
            new RankStreams(
                () -> own,
                OutputStream::nullOutputStream,
                InputStream::nullInputStream,
                StandardCharsets.UTF_8));
  }

  /** Under the name of either dialect. */
  @ParameterizedTest
  @ValueSource(strings = {"Cancel", "cancel"})
  void bothAreEnumeratedAndDrawnFromSeeds(String cancel) throws Exception {
    try (HostedProgram program = program(cancel)) {
      TreeSet<String> enumerated = new TreeSet<>();
      Enumeration.Summary summary =
          Enumeration.explore(
              Enumeration.Request.of(2),
              () -> ranks(program),
              _ -> {
                enumerated.add(printed.toString(StandardCharsets.UTF_8));
                return true;
              });
      assertThat(summary.executions()).isEqualTo(2);
      assertThat(enumerated).containsExactly("in time, then 7", "too late: 7");
      TreeSet<String> drawn = new TreeSet<>();
      for (long seed = 0; seed < 20; seed++) {
        EmbeddedJob.run(JobRequest.of(2, new Schedule.Seeded(seed)), ranks(program));
        drawn.add(printed.toString(StandardCharsets.UTF_8));
      }
      assertThat(drawn).isEqualTo(enumerated);
    }
  }
}
