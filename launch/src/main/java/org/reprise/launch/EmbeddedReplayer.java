package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.JobResult;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;

/** Replays runs that were recorded on the embedded engine, and judges what the ranks did. */
public final class EmbeddedReplayer {
  private final Surroundings surroundings;
  private final RankConsole console;
  private final Consumer<String> told;

  public EmbeddedReplayer(Surroundings surroundings, RankConsole console, Consumer<String> told) {
    this.surroundings = surroundings;
    this.console = console;
    this.told = told;
  }

  /** Whether a run is one of the embedded engine. */
  public static boolean isFor(RunDescription run) {
    return run.mpi().family() == MpiFamily.EMBEDDED;
  }

  /** Replays a run; damage in its files is met before its program starts. */
  public Replay replay(ReplayRequest request) {
    return replay(request, _ -> {});
  }

  /**
   * The same.
   *
   * @param keeper gets the directory of the replay before it is removed
   */
  Replay replay(ReplayRequest request, Consumer<RunDirectory> keeper) {
    RecordedRun recorded = RecordedRun.open(request.run());
    recorded.verify();
    EmbeddedCommand command = command(recorded, request.command());
    List<String> notes = new ArrayList<>();
    Path from =
        request.command().isPresent()
            ? surroundings.directory()
            : Path.of(recorded.description().directory());
    try (HostedProgram program = HostedProgram.open(command.program(), from)) {
      addNotes(notes, recorded, command, program);
      notes.forEach(told);
      Path scratch = PrivateFiles.createTemporaryDirectory(place(recorded), "replay-");
      try (Signals _ = Signals.take(Signals.ENDING, signal -> endBySignal(scratch, signal))) {
        RunDirectory directory = new RunDirectory(scratch);
        Replay replay = run(request, recorded, command, program, directory, notes);
        keeper.accept(directory);
        return replay;
      } finally {
        PrivateFiles.removeTree(scratch);
      }
    } catch (IOException e) {
      throw new UserError(
          "the replay has no place for its own files",
          String.valueOf(e.getMessage()),
          "make room, or set TMPDIR to a directory you may write to");
    }
  }

  /** The ranks are threads of this process: it ends, and takes its own files with it. */
  private static void endBySignal(Path scratch, String signal) {
    try {
      PrivateFiles.removeTree(scratch);
    } catch (IOException e) {
      // Ranks may be writing there this very moment; the next replay does not mind.
    } finally {
      Runtime.getRuntime().halt(Signals.statusOf(signal));
    }
  }

  private Path place(RecordedRun recorded) {
    Path run = recorded.directory().path();
    String temporary = surroundings.variable("TMPDIR");
    return Files.isWritable(run) ? run : Path.of(temporary.isEmpty() ? "/tmp" : temporary);
  }

  private static EmbeddedCommand command(RecordedRun recorded, Optional<List<String>> other) {
    try {
      EmbeddedCommand then = EmbeddedCommand.parse(recorded.description().command());
      return other
          .map(ProgramCommand::parse)
          .map(now -> new EmbeddedCommand(then.ranks(), then.seed(), then.syncSends(), now))
          .orElse(then);
    } catch (IllegalArgumentException e) {
      throw new TraceError(
          recorded.directory().descriptionFile() + " is damaged",
          String.valueOf(e.getMessage()),
          "record again");
    }
  }

  private void addNotes(
      List<String> notes, RecordedRun recorded, EmbeddedCommand command, HostedProgram program) {
    RunDescription then = recorded.description();
    boolean other = !command.words().equals(then.command());
    if (other) {
      notes.add(
          "another command than the recorded one, which was: " + String.join(" ", then.command()));
    } else if (then.program().isPresent()
        && !program.identity().sha256().equals(then.program().get().sha256())) {
      notes.add("the program has changed since it was recorded: " + then.program().get().path());
    }
    if (!surroundings.directory().equals(Path.of(then.directory()))) {
      notes.add("recorded in " + then.directory() + "; files it opens are looked for here instead");
    }
    ReplayNotes.addLimits(recorded, notes);
  }

  private Replay run(
      ReplayRequest request,
      RecordedRun recorded,
      EmbeddedCommand command,
      HostedProgram program,
      RunDirectory scratch,
      List<String> notes) {
    JobRequest job =
        new JobRequest(
            recorded.ranks(),
            new Schedule.Replay(recorded, request.jitterSeed()),
            command.syncSends(),
            Optional.of(scratch.path()),
            recorded.description().inputs(),
            request.eventFrames());
    RunDirectory run = recorded.directory();
    boolean kept = recorded.description().stdinKept() && Files.isRegularFile(run.stdinFile());
    StandardInput input = kept ? new StandardInput.Kept(run.stdinFile()) : surroundings.input();
    RankConsole shown = request.quiet() ? console.silent() : console.into(request.rankOutput());
    JobResult result = new EmbeddedRun(program, command, shown).run(job, input, Optional.empty());
    EmbeddedEnd end = EmbeddedEnd.of(result);
    if (!request.quiet()) {
      end.lines().forEach(told);
    }
    Verdict verdict =
        new Judge(recorded, StallWatch.headers(scratch)).verdict(Optional.empty(), false);
    return new Replay(verdict, end.status(), notes);
  }
}
