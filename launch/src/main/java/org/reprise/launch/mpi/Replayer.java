package org.reprise.launch.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reprise.launch.Engine;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.process.Job;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.Permission;
import org.reprise.launch.run.ProgramFile;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayNotes;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.source.CallStack;
import org.reprise.launch.verdict.Judge;
import org.reprise.launch.verdict.RankPlaces;
import org.reprise.launch.verdict.RecordingEndWatch;
import org.reprise.launch.verdict.Stall;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.launch.verdict.Verdict;
import org.reprise.trace.Location;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

/** Runs a recorded command again with every recorded outcome forced, and judges what it did. */
public final class Replayer {
  private static final String BEHIND_THE_END =
      "the recording is over, and the program runs on by itself; Ctrl-C ends it";

  private final Surroundings surroundings;
  private final Consumer<String> told;
  private final Permission permission;

  /**
   * A replayer.
   *
   * @param told gets sentences for stderr before the command starts: what is other than when it was
   *     recorded
   */
  public Replayer(Surroundings surroundings, Consumer<String> told, Permission permission) {
    this.surroundings = surroundings;
    this.told = told;
    this.permission = permission;
  }

  /**
   * As {@link Engine#replay} says, in the run's directory and with the environment that mattered.
   */
  public Replay replay(ReplayRequest request, BiConsumer<RunDirectory, Replay> keeper) {
    RecordedRun recorded = RecordedRun.open(request.run());
    recorded.verify();
    RestoredCommand restored =
        RestoredCommand.of(recorded, request.command(), request.mpicc(), surroundings, permission);
    Preparation preparation = restored.preparation();
    List<String> notes =
        ReplayNotes.of(
            recorded,
            restored.own(),
            restored.words(),
            preparation.mpi(),
            surroundings.environment());
    notes.forEach(told);
    try (Scratch scratch = Scratch.ofReplay(recorded, surroundings)) {
      RunDirectory directory = new RunDirectory(scratch.path());
      Preparation loaded =
          request.eventFrames().isPresent() ? preparation.withEvents() : preparation;
      Replay replay = run(request, recorded, loaded, directory, notes);
      keeper.accept(directory, replay);
      return replay;
    } catch (IOException e) {
      throw Scratch.noPlace(e);
    }
  }

  private Replay run(
      ReplayRequest request,
      RecordedRun recorded,
      Preparation preparation,
      RunDirectory scratch,
      List<String> notes) {
    Optional<RankOutput> rankOutput =
        request
            .rankOutput()
            .map(
                directory ->
                    new RankOutput(directory, preparation.launcherFamily(), preparation.command()));
    PreparedCommand command =
        preparation.tell(
            variables(request, recorded, scratch),
            rankOutput.map(RankOutput::options).orElse(List.of()));
    Optional<Path> output =
        request.quiet()
            ? Optional.of(Path.of("/dev/null"))
            : rankOutput.flatMap(RankOutput::wholeOutput);
    try (Job job = Job.start(command, preparation.surroundings(), Optional.empty(), output);
        StallWatch watch =
            StallWatch.start(scratch, recorded.ranks(), request.stallLimit(), stall -> job.end());
        RecordingEndWatch _ =
            RecordingEndWatch.start(
                recorded,
                scratch,
                request.eventFrames().isEmpty(),
                () -> behindTheEnd(request, job))) {
      int status = job.waitFor();
      job.remark().ifPresent(told);
      Optional<Stall> stall = watch.stop();
      rankOutput.ifPresent(RankOutput::collect);
      SortedMap<Rank, RankHeader> replayed = StallWatch.headers(scratch);
      Verdict verdict =
          new Judge(recorded, replayed, places(recorded, stall, preparation.surroundings()))
              .verdict(stall, job.wasSignalled());
      Optional<String> program =
          preparation
              .command()
              .program()
              .flatMap(ProgramFile::describe)
              .map(RunDescription.Program::sha256);
      return new Replay(verdict, status, notes, program);
    }
  }

  /** Who learns events wants none from there on; who replays may want to see it run on. */
  private void behindTheEnd(ReplayRequest request, Job job) {
    if (request.eventFrames().isPresent()) {
      job.end();
    } else {
      told.accept(BEHIND_THE_END);
    }
  }

  private static Function<RankHeader, Optional<Location>> places(
      RecordedRun recorded, Optional<Stall> stall, Surroundings surroundings) {
    List<RankHeader> headers = new ArrayList<>(recorded.headers().values());
    headers.removeIf(header -> header.state() != Wire.State.RUNNING);
    stall.ifPresent(met -> headers.addAll(met.headers().values()));
    return RankPlaces.of(headers, stall, recorded.description()::callName, surroundings)::place;
  }

  private static Map<String, String> variables(
      ReplayRequest request, RecordedRun recorded, RunDirectory scratch) {
    RankVariables variables =
        RankVariables.forcing(Wire.Mode.REPLAY, recorded.directory(), scratch)
            .jitter(request.jitterSeed())
            .inputs(recorded.description().inputs());
    UncopiedSends.from(recorded.headers().values(), recorded.ranks())
        .ifPresent(bytes -> variables.with(Wire.ENV_UNCOPIED, Long.toString(bytes)));
    request
        .eventFrames()
        .ifPresent(
            n -> variables.with(Wire.ENV_EVENTS, n + "," + Math.max(n, CallStack.FRAMES_KEPT)));
    return variables.all();
  }
}
