package org.reprise.analysis;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Pairing;
import org.reprise.causality.races.Races;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** A run with the outcomes that a replay must force, and no others as far as that is known. */
public final class Distillation {
  /** Where one of these fails, what looks as if it had no choice may have one in a replay. */
  private static final Set<Claims.Precondition> KEEP_ALL_WITHOUT =
      EnumSet.of(
          Claims.Precondition.EVENTS_WHOLE,
          Claims.Precondition.SAME_PROGRAM,
          Claims.Precondition.RANKS_RECORDED,
          Claims.Precondition.RANKS_ENDED,
          Claims.Precondition.CALLS_RECORDED,
          Claims.Precondition.SENDS_RECORDED,
          Claims.Precondition.RECORDED_TO_THE_END);

  private final RecordedRun recorded;
  private final EventGraph graph;
  private final Races controlSet;
  private final boolean keepsAll;

  private Distillation(RunRaces races) {
    recorded = races.run();
    graph = races.graph();
    controlSet = races.controlSet();
    keepsAll = KEEP_ALL_WITHOUT.stream().anyMatch(one -> !races.claims().hold(one));
  }

  /** Refuses a run whose events cannot be told apart by their outcomes. */
  public static Distillation of(RunRaces races) {
    requireOneThread(races.run());
    if (!races.claims().hold(Claims.Precondition.SENDERS_RECORDED)) {
      throw cannotBe(races.run(), "processes outside the job took part, and are not recorded");
    }
    return new Distillation(races);
  }

  /** Known before the events are. */
  public static void requireOneThread(RecordedRun recorded) {
    if (recorded.headers().values().stream().anyMatch(h -> h.has(Wire.Flag.MANY_THREADS))) {
      throw cannotBe(recorded, "several threads of a rank called MPI");
    }
  }

  private static UserError cannotBe(RecordedRun recorded, String found) {
    return new UserError(
        recorded.directory().name() + " cannot be distilled", found, "replay the run as it is");
  }

  /** Whether nothing is left out, because something is not known that would allow it. */
  public boolean keepsAll() {
    return keepsAll;
  }

  /**
   * Writes the files of the new run; how many receives and probes from any source are left free.
   */
  public long write(RunDirectory to) throws IOException {
    RunDirectory from = recorded.directory();
    long free = 0;
    for (Rank rank : recorded.ranksPresent()) {
      free += DistilledOrder.of(rank, recorded, to, graph.events(), this::mustBeForced);
      Optional<InputsReader> inputs = from.openInputs(rank);
      if (inputs.isPresent()) {
        try (InputsReader open = inputs.get()) {
          RunFile.copy(
              from.inputsFile(rank),
              to.inputsFile(rank),
              Wire.HEADER_BYTES + open.header().committed());
        }
      }
    }
    if (recorded.description().stdinKept() && RunFile.isThere(from.stdinFile())) {
      RunFile.copy(from.stdinFile(), to.stdinFile(), RunFile.size(from.stdinFile()));
    }
    if (RunFile.isThere(from.readFilesFile())) {
      RunFile.copy(from.readFilesFile(), to.readFilesFile(), RunFile.size(from.readFilesFile()));
    }
    return free;
  }

  private boolean mustBeForced(int event) {
    return keepsAll
        || controlSet.contains(event)
        || !graph.contains(event)
        || graph.pairing().message(event) == Pairing.NONE
        || graph.pairing().isAmbiguous(event)
        || controlSet.isUncertain(event);
  }
}
