package org.reprise.launch.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.reprise.launch.interposer.MpiInstallation;
import org.reprise.launch.verdict.RecordingGap;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedEnvironment;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;

/** What is other now than when the run was recorded: a replay goes on, but these may explain it. */
public final class ReplayNotes {
  private final RecordedRun recorded;
  private final List<String> notes = new ArrayList<>();

  private ReplayNotes(RecordedRun recorded) {
    this.recorded = recorded;
  }

  /**
   * Compares.
   *
   * @param own whether the run is the user's own
   * @param environment that of the user now, before the recorded one is restored
   */
  public static List<String> of(
      RecordedRun recorded,
      boolean own,
      List<String> command,
      MpiInstallation mpi,
      Map<String, String> environment) {
    ReplayNotes notes = new ReplayNotes(recorded);
    notes.compareProgram();
    notes.notes.addAll(ReadFiles.changes(recorded.directory()));
    notes.compareMpi(mpi);
    notes.compareCommand(command);
    notes.compareEnvironment(environment, own);
    notes.addLimitsOfTheRecording();
    return notes.notes;
  }

  /** What the recording itself does not hold, whatever is other now. */
  public static void addLimits(RecordedRun recorded, List<String> to) {
    ReplayNotes notes = new ReplayNotes(recorded);
    notes.addLimitsOfTheRecording();
    to.addAll(notes.notes);
  }

  private void compareProgram() {
    Optional<RunDescription.Program> then = recorded.description().program();
    if (then.isEmpty()) {
      return;
    }
    Optional<RunDescription.Program> now = ProgramFile.describe(Path.of(then.get().path()));
    if (now.isEmpty()) {
      notes.add("the recorded program is gone: " + then.get().path());
    } else if (!now.get().sha256().equals(then.get().sha256())) {
      notes.add("the program has changed since it was recorded: " + then.get().path());
    }
  }

  private void compareMpi(MpiInstallation now) {
    RunDescription.Mpi then = recorded.description().mpi();
    if (now.family() != then.family() || !now.version().equals(then.version())) {
      notes.add("recorded with %s, replayed with %s".formatted(then.version(), now.version()));
    }
  }

  private void compareCommand(List<String> command) {
    if (!command.equals(recorded.description().command())) {
      notes.add(
          "another command than the recorded one, which was: "
              + String.join(" ", recorded.description().command()));
    }
  }

  private void compareEnvironment(Map<String, String> environment, boolean own) {
    Map<String, String> then = recorded.description().environment();
    Map<String, String> now = RecordedEnvironment.of(environment);
    SortedSet<String> variables = new TreeSet<>(then.keySet());
    variables.addAll(now.keySet());
    variables.remove(Wire.ENV_EAGER);
    for (String variable : variables) {
      String before = then.get(variable);
      String after = now.get(variable);
      if (!RecordedEnvironment.isRestored(variable, recorded.description(), own)) {
        if (before != null && !before.equals(after)) {
          notes.add(variable + " differs, and is not taken from the run; the replay gets yours");
        }
      } else if (before == null) {
        notes.add(variable + " was not set when recorded; it is unset for the replay");
      } else if (!before.equals(after)) {
        String what = after == null ? " is not set now" : " has another value now";
        notes.add(variable + what + "; the replay gets the recorded one");
      }
    }
  }

  private void addLimitsOfTheRecording() {
    if (recorded.description().ending() instanceof Ending.Unfinished) {
      notes.add("the recorder was killed; what the ranks had left by then is replayed");
    }
    RecordingGap.of(recorded).forEach(gap -> notes.add(gap.sentence()));
  }
}
