package org.reprise.launch.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.reprise.launch.Engine;
import org.reprise.launch.process.OneEnd;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.launch.run.RankConsole;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayNotes;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.verdict.Judge;
import org.reprise.launch.verdict.Stall;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.launch.verdict.Verdict;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

/** Replays runs that were recorded on the embedded engine, and judges what the ranks did. */
public final class EmbeddedReplayer {
  private final Surroundings surroundings;
  private final RankConsole console;
  private final Consumer<String> told;
  private final Permission permission;

  public EmbeddedReplayer(EngineContext context) {
    surroundings = context.surroundings();
    console = context.console();
    told = context.told();
    permission = context.permission();
  }

  /** As {@link Engine#replay} says. */
  public Replay replay(ReplayRequest request, BiConsumer<RunDirectory, Replay> keeper) {
    RecordedRun recorded = RecordedRun.open(request.run());
    recorded.verify();
    EmbeddedCommand command = command(recorded, request.command());
    permission.toExecute(recorded, request.command().orElse(recorded.description().command()));
    List<String> notes = new ArrayList<>();
    Path from =
        request.command().isPresent()
            ? surroundings.directory()
            : Path.of(recorded.description().directory());
    try (HostedProgram program = HostedProgram.open(command.program(), from)) {
      addNotes(notes, recorded, command, program);
      notes.forEach(told);
      RankConsole shown = request.quiet() ? console.silent() : console.into(request.rankOutput());
      EmbeddedRun ranks = new EmbeddedRun(program, command, shown);
      String identity = program.identity().sha256();
      try (Scratch scratch = Scratch.ofReplay(recorded, surroundings)) {
        RunDirectory directory = new RunDirectory(scratch.path());
        IntUnaryOperator bySignal =
            status -> {
              ranks.interrupt();
              Verdict verdict = verdict(recorded, directory, Optional.empty(), true);
              return interrupted(
                  request, new Replay(verdict, status, notes, Optional.of(identity)), scratch);
            };
        // The engine itself sees when all ranks wait, but not that some poll in vain.
        try (OneEnd once = new OneEnd(bySignal);
            StallWatch watch =
                StallWatch.start(
                    directory, recorded.ranks(), request.stallLimit(), _ -> ranks.interrupt())) {
          EmbeddedEnd end = run(request, recorded, command.syncSends(), ranks, scratch.path());
          Optional<Stall> stall = watch.stop();
          once.reached();
          if (!request.quiet()) {
            end.tell(told);
          }
          Verdict verdict = verdict(recorded, directory, stall, false);
          Replay replay = new Replay(verdict, end.status(), notes, Optional.of(identity));
          keeper.accept(directory, replay);
          return replay;
        }
      }
    } catch (IOException e) {
      throw Scratch.noPlace(e);
    }
  }

  /** Says how far it went, and takes the replay's own files with it. */
  private int interrupted(ReplayRequest request, Replay replay, Scratch scratch) {
    if (!request.quiet()) {
      VerdictText.lines(replay.verdict()).forEach(told);
    }
    try {
      scratch.close();
    } catch (IOException e) {
      // Ranks may be writing there this very moment; the next replay removes it.
    }
    return replay.exitStatus();
  }

  private static Verdict verdict(
      RecordedRun recorded, RunDirectory scratch, Optional<Stall> stall, boolean interrupted) {
    return new Judge(recorded, StallWatch.headers(scratch), _ -> Optional.empty())
        .verdict(stall, interrupted);
  }

  static EmbeddedCommand command(RecordedRun recorded, Optional<List<String>> other) {
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

  void addNotes(
      List<String> notes, RecordedRun recorded, EmbeddedCommand command, HostedProgram program) {
    RunDescription then = recorded.description();
    if (!command.equals(EmbeddedCommand.parse(then.command()))) {
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

  private EmbeddedEnd run(
      ReplayRequest request,
      RecordedRun recorded,
      boolean syncSends,
      EmbeddedRun ranks,
      Path scratch) {
    JobRequest job =
        new JobRequest(
            recorded.ranks(),
            new Schedule.Replay(recorded, request.jitterSeed()),
            syncSends,
            Optional.of(new RankFiles.InDirectory(scratch)),
            recorded.description().inputs(),
            request.eventFrames());
    return EmbeddedEnd.of(ranks.run(job, input(recorded)));
  }

  private StandardInput input(RecordedRun recorded) {
    return recorded.description().stdinKept()
        ? new StandardInput.Kept(recorded.directory().stdinFile())
        : surroundings.input();
  }

  /**
   * Replays in a JVM that a debugger has started for this, and returns the exit status. The run was
   * checked, and its execution permitted, by the debugger.
   *
   * @param scratch gets the files of the ranks
   * @param control the directory of the debugger that holds them
   */
  public int replayHeld(RunDirectory run, Path scratch, Path control) {
    RecordedRun recorded = RecordedRun.open(run);
    EmbeddedCommand command = command(recorded, Optional.empty());
    Path from = Path.of(recorded.description().directory());
    try (HostedProgram program = HostedProgram.open(command.program(), from)) {
      JobRequest job =
          new JobRequest(
                  recorded.ranks(),
                  new Schedule.Replay(recorded, OptionalLong.empty()),
                  command.syncSends(),
                  Optional.of(new RankFiles.InDirectory(scratch)),
                  recorded.description().inputs(),
                  OptionalInt.of(1))
              .heldBy(control);
      EmbeddedEnd end =
          EmbeddedEnd.of(new EmbeddedRun(program, command, console).run(job, input(recorded)));
      end.tell(told);
      return end.status();
    }
  }
}
