package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.LineOutput;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.RankStreams;

/** A call that MPI does not allow is told with the rank, the program's line and what is wrong. */
class MisuseTest {
  /** A statement that is wrong, and what is said of it. */
  private record Wrong(String statement, String message) {}

  private static final List<Wrong> WRONG =
      List.of(
          new Wrong(
              "MPI.COMM_WORLD.Send(a, 0, 4, MPI.INT, 7, 0);",
              "no such rank in a communicator of 2: 7"),
          new Wrong("MPI.COMM_WORLD.Recv(a, 0, 4, MPI.INT, -9, 0);", "a communicator of 2: -9"),
          new Wrong(
              "MPI.COMM_WORLD.Send(a, 0, 4, MPI.INT, 1, -5);",
              "a tag is 0 to 2147483647; found: -5"),
          new Wrong("MPI.COMM_WORLD.Send(a, 0, 4, MPI.INT, 1, MPI.ANY_TAG);", "a tag is 0 to"),
          new Wrong("MPI.COMM_WORLD.Send(a, 0, -1, MPI.INT, 1, 0);", "the count is negative: -1"),
          new Wrong(
              "MPI.COMM_WORLD.Send(a, 1, 4, MPI.INT, 1, 0);",
              "has 4 elements; the call names elements 1 to 4"),
          new Wrong(
              "MPI.COMM_WORLD.Recv(a, -1, 1, MPI.INT, 1, 0);", "the call names elements -1 to -1"),
          new Wrong(
              "MPI.COMM_WORLD.Send(a, 0, 4, MPI.DOUBLE, 1, 0);",
              "so the buffer is double[]; found: int[]"),
          new Wrong("MPI.COMM_WORLD.Send(null, 0, 4, MPI.INT, 1, 0);", "there is no buffer: null"),
          new Wrong("MPI.COMM_WORLD.Send(a, 0, 4, null, 1, 0);", "there is no datatype: null"),
          new Wrong(
              "MPI.COMM_WORLD.Bcast(a, 0, 4, MPI.INT, 2);",
              "no such root in a communicator of 2: 2"),
          new Wrong("MPI.COMM_WORLD.Bsend(a, 0, 4, MPI.INT, 1, 0);", "no buffer was attached"),
          new Wrong(
              "MPI.COMM_WORLD.Allreduce(a, 0, a, 0, 4, MPI.INT2, MPI.MAXLOC);",
              "has 4 elements; the call names elements 0 to 7"),
          new Wrong(
              "MPI.COMM_WORLD.Allreduce(a, 0, a, 0, 4, MPI.INT, MPI.MAXLOC);",
              "MPI.MAXLOC combines pairs, as of MPI.INT2; found items of this many elements: 1"),
          new Wrong(
              "MPI.COMM_WORLD.Allreduce(new boolean[1], 0, new boolean[1], 0, 1, MPI.BOOLEAN,"
                  + " MPI.SUM);",
              "MPI.SUM is not defined for elements of type BOOLEAN"),
          new Wrong(
              "MPI.COMM_WORLD.Send(new Object[] {new Object()}, 0, 1, MPI.OBJECT, 1 - me, 0);",
              "an object cannot be serialised: java.io.NotSerializableException: java.lang.Object"),
          new Wrong(
              "MPI.COMM_WORLD.Group().Incl(new int[] {0, 0});",
              "a rank stands there twice: [0, 0]"),
          new Wrong(
              "MPI.COMM_WORLD.Create_cart(new int[] {3}, new boolean[1], false);",
              "has 2 ranks; needed: 3"),
          new Wrong("MPI.Finalize(); MPI.COMM_WORLD.Rank();", "Rank: called after MPI.Finalize"),
          new Wrong("MPI.Init(args);", "Init: called twice"),
          new Wrong(
              "MPI.COMM_WORLD.Split(me == 0 ? MPI.UNDEFINED : 1, 0).Barrier();",
              "Barrier: the calling rank is not in this communicator"),
          new Wrong(
              "int[] b = new int[2]; if (me == 1) MPI.COMM_WORLD.Send(a, 0, 4, MPI.INT, 0, 0);"
                  + " else MPI.COMM_WORLD.Recv(b, 0, 2, MPI.INT, 1, 0);",
              "Recv: "),
          new Wrong(
              "if (me == 1) MPI.COMM_WORLD.Send(a, 0, 4, MPI.INT, 0, 0);"
                  + " else MPI.COMM_WORLD.Recv(new float[4], 0, 4, MPI.FLOAT, 1, 0);",
              "Recv: "),
          new Wrong(
              "if (me == 0) MPI.COMM_WORLD.Rsend(a, 0, 4, MPI.INT, 1, 3);"
                  + " else MPI.COMM_WORLD.Recv(a, 0, 4, MPI.INT, 0, 4);",
              "Rsend: a ready send to rank 1, tag 3, found no receive posted for it"),
          new Wrong("MPI.COMM_WORLD.Irecv(a, 0, 4, MPI.INT, 2, 0);", "Irecv: no such rank"),
          // Ranks share the classes of the JDK, so one can hand an object to another behind MPI's
          // back.
          new Wrong(
              "if (me == 0) { System.getProperties().put(\"reprise.foreign\","
                  + " MPI.COMM_WORLD.Irecv(a, 0, 1, MPI.INT, 1, 9)); } MPI.COMM_WORLD.Barrier(); if"
                  + " (me == 1) ((Request)"
                  + " System.getProperties().remove(\"reprise.foreign\")).Wait(); else"
                  + " MPI.COMM_WORLD.Recv(a, 1, 1, MPI.INT, 1, 8);",
              "Wait: the request belongs to another rank: 0"));

  /** The statements are in one program, the i-th in line FIRST_LINE + i. */
  private static final int FIRST_LINE = 7;

  @TempDir private static Path scratch;

  private static HostedProgram program;

  static IntStream wrong() {
    return IntStream.range(0, WRONG.size());
  }

  @BeforeAll
  static void compile() throws Exception {
    StringBuilder source =
        new StringBuilder(
            """
            import mpi.*;
            public class Wrong {
              public static void main(String[] args) throws Exception {
                if (args[0].equals("early")) MPI.COMM_WORLD.Rank();
                MPI.Init(args); int me = MPI.COMM_WORLD.Rank(); int[] a = new int[4];
                switch (args[0]) {
            """);
    for (int i = 0; i < WRONG.size(); i++) {
      source.append("case \"%d\": { %s break; }\n".formatted(i, WRONG.get(i).statement()));
    }
    source.append(
        """
        case "leaves": {
          if (me == 0) MPI.COMM_WORLD.Send(a, 0, 1, MPI.INT, 1, 3);
          MPI.COMM_WORLD.Irecv(a, 0, 1, MPI.INT, me, 5);
          MPI.COMM_WORLD.Barrier();
          MPI.Finalize();
        }
        """);
    Files.writeString(scratch.resolve("Wrong.java"), source + "}}}\n");
    program = HostedProgram.open(ProgramCommand.parse(List.of("Wrong.java")), scratch);
  }

  @AfterAll
  static void close() {
    program.close();
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void theRankAndTheLineAreNamed(int which) {
    JobResult.RankEnd failed = failed(String.valueOf(which));
    assertThat(failed.failure())
        .as(WRONG.get(which).statement())
        .isInstanceOf(MPIException.class)
        .message()
        .startsWith("rank %d, Wrong.java:%d: ".formatted(failed.rank(), FIRST_LINE + which))
        .contains(WRONG.get(which).message());
  }

  @Test
  void callsBeforeInitAreErrors() {
    JobResult.RankEnd failed = failed("early");
    assertThat(failed.failure())
        .hasMessage("rank %d, Wrong.java:4: Rank: called before MPI.Init", failed.rank());
  }

  @Test
  void whatIsLeftAtTheEndIsWarnedOf() {
    JobResult result = run("leaves", OutputStream.nullOutputStream());
    assertThat(result.succeeded()).isTrue();
    int line = FIRST_LINE + WRONG.size() + 4;
    assertThat(result.warnings())
        .containsExactly(
            "rank 0, Wrong.java:%d: Finalize: requests were started and never completed: 1"
                .formatted(line),
            "rank 1, Wrong.java:%d: Finalize: requests were started and never completed: 1"
                .formatted(line),
            "rank 1, Wrong.java:%d: Finalize: messages were sent to this rank and never received: 1"
                .formatted(line));
  }

  private static JobResult.RankEnd failed(String argument) {
    JobResult result = run(argument, OutputStream.nullOutputStream());
    return result.firstFailure().orElseThrow(() -> new AssertionError("nothing failed: " + result));
  }

  private static JobResult run(String argument, OutputStream err) {
    return EmbeddedJob.run(
        JobRequest.of(2, new Schedule.Seeded(1)),
        new HostedRanks(
            program,
            List.of(argument),
            _ ->
                new RankStreams(
                    OutputStream::nullOutputStream,
                    () -> new LineOutput(err, ""),
                    InputStream::nullInputStream,
                    StandardCharsets.UTF_8)));
  }
}
