package org.reprise.launch.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedEnvironment;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSeal;
import org.reprise.trace.run.RunSummary;

/** Begins the description of a run, and completes it from what its ranks left. */
public final class FinishedRun {
  /** What run.json says of any run before its ranks have started. */
  public static RunDescription.Builder begun(
      RunDirectory run, List<String> command, RunDescription.Mpi mpi, Surroundings surroundings) {
    String version = FinishedRun.class.getPackage().getImplementationVersion();
    return RunDescription.begun(run.name(), command, surroundings.directory().toString(), mpi)
        .repriseVersion(version == null ? "development" : version)
        .environment(RecordedEnvironment.of(surroundings.environment()));
  }

  /**
   * Writes run.json for the last time.
   *
   * @param interrupted whether a signal to Reprise brought the end about
   * @param warnings what the headers show that the recording does not hold
   */
  public static Recording of(
      RunDirectory run,
      RunDescription begun,
      Surroundings surroundings,
      int status,
      boolean interrupted,
      Function<SortedMap<Rank, RankHeader>, List<String>> warnings) {
    SortedMap<Rank, RankHeader> headers = headers(run);
    List<String> said = new ArrayList<>();
    try {
      headers.keySet().forEach(run::claimEvents);
    } catch (UserError failure) {
      said.add(sentence(failure));
    }
    RunDescription ended = ended(begun, headers, status, interrupted, inputBytes(run));
    boolean described = describe(run, ended, said);
    try {
      ReadFiles.keep(run, ended);
    } catch (IOException e) {
      said.add("which files the program read could not be kept: " + PrivateFiles.reason(e));
    }
    said.addAll(warnings.apply(headers));
    if (described) {
      // The seal of a run that could not be described is the one from its beginning.
      seal(run, ended, surroundings)
          .ifPresent(
              reason ->
                  said.add(
                      "the run is not marked as yours, so its replay needs --trust: " + reason));
    }
    Recording recording =
        new Recording(run, ended, Optional.empty(), status, false, RunEnd.PLAIN, said);
    return headers.isEmpty()
        ? recording
        : summarised(
            recording,
            () -> described ? RecordedRun.open(run) : new RecordedRun(run, ended, headers));
  }

  /** What run.json says of a run that has ended. */
  public static RunDescription ended(
      RunDescription begun,
      SortedMap<Rank, RankHeader> headers,
      int status,
      boolean interrupted,
      OptionalLong inputBytes) {
    List<RunDescription.RankEnd> ends =
        headers.values().stream().map(FinishedRun::rankEnd).toList();
    int ranks = headers.isEmpty() ? 0 : headers.firstEntry().getValue().ranks();
    List<String> hosts = headers.values().stream().map(RankHeader::host).distinct().toList();
    return begun.ended(
        ending(status, interrupted, headers.isEmpty()),
        Instant.now(),
        ranks,
        hosts,
        ends,
        inputBytes);
  }

  /** The recording is there without its end: it is like one whose recorder was killed. */
  private static boolean describe(RunDirectory run, RunDescription ended, List<String> said) {
    try {
      run.describe(ended);
      return true;
    } catch (UserError failure) {
      said.add(
          "how the run ended could not be written ("
              + failure.found()
              + "): a replay takes it for a run whose recorder was killed; "
              + failure.fix());
      return false;
    }
  }

  /** What is wrong with the recording is said; the program's own status remains. */
  private static Recording summarised(Recording recording, Supplier<RecordedRun> recorded) {
    try {
      RecordedRun run = recorded.get();
      RunSummary summary = RunSummary.of(run);
      List<String> trouble = new ArrayList<>();
      try {
        keepEvents(run);
      } catch (UserError failure) {
        trouble.add(sentence(failure));
      } catch (UncheckedIOException failure) {
        trouble.add("the events cannot be kept with the run: " + failure.getMessage());
      }
      return new Recording(
              recording.run(),
              recording.description(),
              Optional.of(summary),
              recording.exitStatus(),
              recording.atRest(),
              recording.end(),
              recording.warnings())
          .withWarnings(trouble);
    } catch (UserError failure) {
      return recording.withWarnings(List.of(sentence(failure)));
    }
  }

  static String sentence(UserError failure) {
    return failure.cause() + " (" + failure.found() + "); " + failure.fix();
  }

  /** If it has any. */
  private static void keepEvents(RecordedRun run) {
    RunDirectory directory = run.directory();
    if (run.ranksPresent().stream().anyMatch(rank -> Files.exists(directory.eventsFile(rank)))) {
      EventsManifest.of(
              run,
              directory,
              EventsManifest.Origin.RECORDED,
              run.description().program().map(RunDescription.Program::sha256),
              List.of())
          .keep(directory);
    }
  }

  /** Marks the run as the user's own; why that cannot be, otherwise. */
  public static Optional<String> seal(
      RunDirectory run, RunDescription description, Surroundings surroundings) {
    try {
      RunSeal.of(surroundings.environment()).put(run, description);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** How much of standard input was kept; the program may not have asked for any. */
  private static OptionalLong inputBytes(RunDirectory run) {
    try {
      return OptionalLong.of(Files.size(run.stdinFile()));
    } catch (IOException notThere) {
      return OptionalLong.empty();
    }
  }

  /** Launchers have statuses of their own for a program that never ran; they name no signal. */
  private static Ending ending(int status, boolean interrupted, boolean noRanks) {
    if (interrupted) {
      return new Ending.Interrupted(status);
    }
    return noRanks ? new Ending.Exited(status) : Ending.ofExitStatus(status);
  }

  /**
   * The headers the ranks left. A rank that was killed while it created its file left one without a
   * header: there is nothing in it, so it goes.
   */
  private static SortedMap<Rank, RankHeader> headers(RunDirectory run) {
    SortedMap<Rank, RankHeader> headers = new TreeMap<>();
    for (Rank rank : run.ranks()) {
      try {
        headers.put(rank, run.header(rank));
      } catch (TraceError e) {
        try {
          Files.deleteIfExists(run.orderFile(rank));
          Files.deleteIfExists(run.inputsFile(rank));
        } catch (IOException notThere) {
          e.addSuppressed(notThere);
          throw e;
        }
      }
    }
    return headers;
  }

  private static RunDescription.RankEnd rankEnd(RankHeader header) {
    boolean told =
        header.has(Wire.Flag.EXIT_SEEN)
            || header.state() == Wire.State.ABORTED
            || header.state() == Wire.State.EXITED;
    return new RunDescription.RankEnd(
        header.rank(),
        header.state(),
        told ? OptionalInt.of(header.exitCode()) : OptionalInt.empty(),
        header.host());
  }

  private FinishedRun() {}
}
