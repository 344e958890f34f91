package org.reprise.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.reprise.trace.Ending;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDescription;
import org.reprise.trace.Wire;

/** What is other now than when the run was recorded: a replay goes on, but these may explain it. */
final class ReplayNotes {
  private final RecordedRun recorded;
  private final List<String> notes = new ArrayList<>();

  private ReplayNotes(RecordedRun recorded) {
    this.recorded = recorded;
  }

  /**
   * Compares.
   *
   * @param environment that of the user now, before the recorded one is restored
   */
  static List<String> of(
      RecordedRun recorded,
      List<String> command,
      MpiInstallation mpi,
      Map<String, String> environment) {
    ReplayNotes notes = new ReplayNotes(recorded);
    notes.compareProgram();
    notes.compareMpi(mpi);
    notes.compareCommand(command);
    notes.compareEnvironment(environment);
    notes.addLimitsOfTheRecording();
    return notes.notes;
  }

  /** What the recording itself does not hold, whatever is other now. */
  static void addLimits(RecordedRun recorded, List<String> to) {
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

  private void compareEnvironment(Map<String, String> environment) {
    Map<String, String> then = recorded.description().environment();
    Map<String, String> now = RunDescription.environmentThatMatters(environment);
    SortedSet<String> variables = new TreeSet<>(then.keySet());
    variables.addAll(now.keySet());
    for (String variable : variables) {
      String before = then.get(variable);
      String after = now.get(variable);
      if (before == null) {
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
    List<Rank> missing =
        IntStream.range(0, recorded.ranks())
            .mapToObj(Rank::new)
            .filter(rank -> !recorded.headers().containsKey(rank))
            .toList();
    if (!missing.isEmpty()) {
      notes.add(
          "%s left no file in the recording; what was theirs is not forced or compared"
              .formatted(Ranks.text(missing)));
    }
    List<Rank> withoutInputs = recorded.withoutInputs();
    if (!withoutInputs.isEmpty()) {
      notes.add(
          "%s left no inputs in the recording; what was read from clocks and random sources may differ"
              .formatted(Ranks.text(withoutInputs)));
    }
    List<String> refused = CallTable.ofInterposer().made(recorded, CallTable.Call::isRefused);
    if (!refused.isEmpty()) {
      notes.add("not recorded, so it may not repeat: " + String.join(", ", refused));
    }
    RecordingWarnings.addSeveralThreads(notes, recorded.headers());
    RecordingWarnings.addSecondJob(notes, recorded.headers());
    List<Rank> full =
        recorded.headers().values().stream()
            .filter(header -> header.has(Wire.Flag.DISK_FULL))
            .map(RankHeader::rank)
            .toList();
    if (!full.isEmpty()) {
      notes.add("the recording of " + Ranks.text(full) + " stops where the disk was full");
    }
  }
}
