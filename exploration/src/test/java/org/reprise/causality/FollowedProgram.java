package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.reprise.exploration.CallNumbering;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.RankTrace;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.UnwrittenRun;

/** Runs plans for a small program on the embedded engine, as it runs them for users. */
final class FollowedProgram implements AutoCloseable {
  static final CallNumbering NUMBERING =
      new CallNumbering() {
        @Override
        public String name(int call) {
          return MpiCall.names().get(call);
        }

        @Override
        public boolean takesPost(int call, EventKind kind, boolean joined) {
          String name = name(call);
          return !joined && (name.equals("Irecv") || name.equals("Isend") || name.equals("Issend"));
        }
      };

  private final Machine.Program program;
  private final Path directory;
  private final int pollsTold;
  private final RecordedRun base;
  private List<RankTrace> first = List.of();
  private int deadlocks;
  private int aborts;

  FollowedProgram(Machine.Program program, Path parent) throws IOException {
    this(program, parent, 0);
  }

  /** With events in which so many failures in a row of the same poll say what it asked for. */
  FollowedProgram(Machine.Program program, Path parent, int pollsTold) throws IOException {
    this.program = program;
    this.pollsTold = pollsTold;
    directory = Files.createTempDirectory(parent, "program");
    UnwrittenRun run = run(new Schedule.Free());
    RunDirectory written = new RunDirectory(Files.createDirectory(directory.resolve("base")));
    run.writeInto(written);
    RunDescription.Builder description =
        RunDescription.begun(
            "base",
            List.of("program"),
            "/",
            new RunDescription.Mpi(MpiFamily.EMBEDDED, "test", ""));
    written.describe(
        description
            .ranks(program.ranks().size())
            .callNames(MpiCall.names())
            .ended(Optional.of(Instant.EPOCH))
            .ending(new Ending.Exited(0))
            .build());
    base = RecordedRun.open(written);
    first = traces(run);
  }

  int deadlocks() {
    return deadlocks;
  }

  int aborts() {
    return aborts;
  }

  /** What the ranks do by a plan; the first run if there is none. */
  List<RankTrace> run(Optional<Exploration.Planned> plan) {
    if (plan.isEmpty()) {
      return first;
    }
    Map<Rank, RankPlan> ranks = new HashMap<>();
    for (int rank = 0; rank < plan.get().ranks().size(); rank++) {
      ranks.put(new Rank(rank), plan.get().ranks().get(rank));
    }
    return traces(run(new Schedule.Follow(base, ranks, OptionalLong.empty())));
  }

  private UnwrittenRun run(Schedule schedule) {
    RankFiles.InMemory files = new RankFiles.InMemory();
    JobResult result =
        EmbeddedJob.run(
            new JobRequest(
                    program.ranks().size(),
                    schedule,
                    false,
                    Optional.of(files),
                    false,
                    OptionalInt.of(1))
                .endingAtRest(true)
                .tellingPolls(pollsTold),
            new EngineProgram(program));
    deadlocks += result.deadlock().isPresent() ? 1 : 0;
    aborts += result.abortCode().isPresent() ? 1 : 0;
    assertThat(result.abortCode().isPresent())
        .as("an abort comes when no other rank can go on")
        .isEqualTo(result.atRest());
    return new UnwrittenRun(files);
  }

  private List<RankTrace> traces(UnwrittenRun run) {
    List<RankTrace> traces = new ArrayList<>();
    for (int number = 0; number < program.ranks().size(); number++) {
      Rank rank = new Rank(number);
      try (OrderReader order = run.openOrder(rank);
          EventReader events = run.openEvents(rank)) {
        traces.add(RankTrace.of(events, RankPlan.of(order)));
      }
    }
    return traces;
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    delete(directory);
  }
}
