package org.reprise.launch.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import org.reprise.launch.process.KnownInput;
import org.reprise.launch.process.Signals;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.FinishedRun;
import org.reprise.launch.run.NewRun;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.Enumeration;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.SystemStreams;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Runs a Java program in every order its messages allow, and keeps a run for each outcome. */
public final class EmbeddedEnumerator {
  /** Told from time to time how far it is. */
  public interface Progress {
    void report(long executions, int outcomes);
  }

  /** So long an execution may go on after Ctrl-C. */
  private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(3);

  private final RunStore store;
  private final Surroundings surroundings;

  public EmbeddedEnumerator(RunStore store, Surroundings surroundings) {
    this.store = store;
    this.surroundings = surroundings;
  }

  /**
   * Goes through the executions.
   *
   * @param max after so many runs it stops
   * @param time after so long it stops
   * @param keep for so many outcomes a run is kept
   * @param name what their runs are called, with a number behind; empty: after the program
   */
  public EnumerationReport enumerate(
      EmbeddedCommand command,
      long max,
      Optional<Duration> time,
      boolean stopAtFirst,
      int keep,
      Optional<String> name,
      Progress progress) {
    try (HostedProgram program = HostedProgram.open(command.program(), surroundings.directory());
        SystemStreams _ = SystemStreams.take()) {
      Search search = new Search(command, program, keep, name, progress);
      try (Signals _ = Signals.take(List.of("INT"), search::interrupt)) {
        return search.run(max, time, stopAtFirst);
      }
    }
  }

  /** Each enumeration counts its outcomes from 1: the second one of a program has another name. */
  private String freeName(String program) {
    List<String> taken = store.list().stream().map(RunDirectory::name).toList();
    String name = program + "-outcome";
    for (int i = 2; isBeginning(name + "-", taken); i++) {
      name = program + "-e" + i + "-outcome";
    }
    return name;
  }

  private static boolean isBeginning(String start, List<String> names) {
    return names.stream().anyMatch(name -> name.startsWith(start));
  }

  /** What is known of an outcome. */
  private static final class Seen {
    long count;
    Optional<RunDirectory> run = Optional.empty();

    /** What the kept run warned of, which names lines; only the search does without. */
    Optional<List<String>> warnings = Optional.empty();

    EnumerationReport.Counted counted(ProgramOutcome outcome) {
      return new EnumerationReport.Counted(
          warnings.map(outcome::warning).orElse(outcome), count, run);
    }
  }

  /** One enumeration under way. */
  private final class Search {
    private final EmbeddedCommand command;
    private final HostedProgram program;
    private final int keep;
    private final String name;
    private final Progress progress;
    private final KnownInput input = new KnownInput(surroundings.input());
    private final Map<ProgramOutcome, Seen> outcomes = new LinkedHashMap<>();
    private CapturedOutput captured;
    private boolean failed;
    private volatile OptionalInt interrupted = OptionalInt.empty();

    Search(
        EmbeddedCommand command,
        HostedProgram program,
        int keep,
        Optional<String> name,
        Progress progress) {
      this.name = name.orElseGet(() -> freeName(command.program().name()));
      this.command = command;
      this.program = program;
      this.keep = keep;
      this.progress = progress;
      captured = new CapturedOutput(command.ranks(), input);
    }

    EnumerationReport run(long max, Optional<Duration> time, boolean stopAtFirst) {
      long start = System.nanoTime();
      Enumeration.Request all = Enumeration.Request.of(command.ranks());
      Enumeration.Summary summary =
          Enumeration.explore(
              new Enumeration.Request(all.ranks(), command.syncSends(), all.failedPollsMax(), max),
              this::freshRanks,
              execution -> take(execution) && !(stopAtFirst && failed),
              () ->
                  interrupted.isEmpty()
                      && (time.isEmpty() || System.nanoTime() - start < time.get().toNanos()));
      List<EnumerationReport.Counted> counted = new ArrayList<>();
      outcomes.forEach((outcome, seen) -> counted.add(seen.counted(outcome)));
      counted.sort(Comparator.comparingLong(EnumerationReport.Counted::count).reversed());
      return new EnumerationReport(
          summary.executions(),
          summary.redundant(),
          summary.complete(),
          summary.heldPolls(),
          Duration.ofNanos(System.nanoTime() - start),
          counted,
          program.reasonNotToShare(),
          interrupted);
    }

    /** Stops behind the current execution, or without its end if that does not come. */
    void interrupt(String signal) {
      int status = Signals.statusOf(signal);
      interrupted = OptionalInt.of(status);
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                LockSupport.parkNanos(INTERRUPT_PATIENCE.toNanos());
                Runtime.getRuntime().halt(status);
              });
    }

    private RankProgram freshRanks() {
      captured = new CapturedOutput(command.ranks(), input);
      CapturedOutput own = captured;
      return new HostedRanks(program, command.program(), own::streams);
    }

    private boolean take(Enumeration.Execution execution) {
      ProgramOutcome outcome = ProgramOutcome.of(execution.result(), captured.take());
      Seen seen = outcomes.computeIfAbsent(outcome, _ -> new Seen());
      seen.count++;
      failed |= outcome.isFailure();
      if (seen.count == 1 && outcomes.size() <= keep) {
        record(execution, seen);
      }
      progress.report(execution.number(), outcomes.size());
      return interrupted.isEmpty();
    }

    /** Runs an execution once more and writes it down. */
    private void record(Enumeration.Execution execution, Seen seen) {
      RunDirectory run = store.create(name);
      boolean done = false;
      try {
        record(execution, seen, run);
        done = true;
      } finally {
        if (!done) {
          NewRun.removeQuietly(run);
        }
      }
    }

    private void record(Enumeration.Execution execution, Seen seen, RunDirectory run) {
      Optional<byte[]> read = input.taken();
      RunDescription begun =
          EmbeddedRecorder.begun(
                  run, command.words("enumerate"), command.ranks(), program, surroundings)
              .inputs(true)
              .stdinKept(read.isPresent())
              .build();
      run.describe(begun);
      read.ifPresent(bytes -> keepInput(run, bytes));
      JobResult result =
          EmbeddedJob.run(
              new JobRequest(
                  command.ranks(),
                  new Schedule.Chosen(execution.choices()),
                  command.syncSends(),
                  Optional.of(new RankFiles.InDirectory(run.path())),
                  true),
              freshRanks());
      FinishedRun.of(
          run, begun, surroundings, EmbeddedEnd.of(result).status(), false, _ -> List.of());
      store.setLatest(run);
      seen.run = Optional.of(run);
      seen.warnings = Optional.of(result.warnings());
    }

    private static void keepInput(RunDirectory run, byte[] input) {
      try {
        Files.write(PrivateFiles.createFile(run.stdinFile()), input);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
