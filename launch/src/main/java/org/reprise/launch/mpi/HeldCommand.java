package org.reprise.launch.mpi;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.ReplayNotes;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * The command of a recorded run, ready to be replayed under a debugger as often as one likes: found
 * to be whole, permitted, and with the libraries that it needs.
 */
public final class HeldCommand {
  private final RecordedRun recorded;
  private final Preparation preparation;

  private HeldCommand(RecordedRun recorded, Preparation preparation) {
    this.recorded = recorded;
    this.preparation = preparation;
  }

  /**
   * Prepares the command of a run; what is other than when it was recorded is said.
   *
   * @param mpicc the compiler of the program's MPI, if the user names it
   */
  public static HeldCommand of(RunDirectory run, Optional<Path> mpicc, EngineContext context) {
    RecordedRun recorded = RecordedRun.open(run);
    recorded.verify();
    RestoredCommand restored =
        RestoredCommand.of(
            recorded, Optional.empty(), mpicc, context.surroundings(), context.permission());
    Preparation preparation = restored.preparation();
    ReplayNotes.of(
            recorded,
            restored.own(),
            restored.words(),
            preparation.mpi(),
            context.surroundings().environment())
        .forEach(context.told());
    return new HeldCommand(recorded, preparation.withEvents());
  }

  public RecordedRun recorded() {
    return recorded;
  }

  /**
   * Starts a replay.
   *
   * @param control the directory of the debugger that holds the ranks
   * @param printed gets what the ranks print, line by line
   */
  public HeldReplay start(Path control, Consumer<String> printed) {
    return start(preparation, Map.of(), control, printed);
  }

  /**
   * Starts a replay whose ranks take checkpoints.
   *
   * @param marks the directory with the plan of the checkpoints, where what they need is kept
   */
  public HeldReplay startWithCheckpoints(Path control, Path marks, Consumer<String> printed) {
    return start(
        preparation.withCheckpoints(), Map.of(Wire.ENV_MARKS, marks.toString()), control, printed);
  }

  private HeldReplay start(
      Preparation preparation,
      Map<String, String> besides,
      Path control,
      Consumer<String> printed) {
    return HeldReplay.start(
        scratch -> {
          Map<String, String> variables = variables(control, scratch);
          variables.putAll(besides);
          return preparation.tell(variables, List.of());
        },
        preparation.surroundings(),
        recorded,
        printed);
  }

  private Map<String, String> variables(Path control, Path scratch) {
    Map<String, String> variables = new HashMap<>();
    variables.put(Wire.ENV_MODE, Wire.Mode.REPLAY.word());
    variables.put(Wire.ENV_PLAN, recorded.directory().path().toString());
    variables.put(Wire.ENV_RUN, scratch.toString());
    variables.put(Wire.ENV_EVENTS, "1");
    variables.put(Wire.ENV_HOLD, control.toString());
    if (!recorded.description().inputs()) {
      variables.put(Wire.ENV_INPUTS, "off");
    }
    return variables;
  }
}
