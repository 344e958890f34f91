package org.reprise.ranks;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

/** Records jobs into directories and opens them again. */
final class Recordings {
  static RunDirectory begin(Path parent, String name, int ranks) throws Exception {
    RunDirectory run = new RunDirectory(PrivateFiles.createDirectory(parent.resolve(name)));
    run.describe(
        new RunDescription(
            "test",
            Wire.VERSION,
            name,
            List.of("program"),
            parent.toString(),
            Optional.empty(),
            new RunDescription.Mpi(MpiFamily.EMBEDDED, "embedded", ""),
            ranks,
            List.of("here"),
            new TreeMap<>(),
            true,
            OptionalLong.empty(),
            false,
            OptionalLong.empty(),
            MpiCall.names(),
            Instant.EPOCH,
            Optional.of(Instant.EPOCH),
            new Ending.Exited(0),
            List.of(),
            LiveRecorder.self(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false));
    return run;
  }

  static RecordedRun record(
      Path parent, String name, int ranks, Schedule schedule, RankProgram program)
      throws Exception {
    RunDirectory run = begin(parent, name, ranks);
    EmbeddedJob.run(JobRequest.of(ranks, schedule).tracedIn(run.path()), program);
    RecordedRun recorded = RecordedRun.open(run);
    recorded.verify();
    return recorded;
  }

  /** The directory that the replay left, with the headers of its ranks. */
  static RunDirectory replay(Path parent, String name, RecordedRun recorded, RankProgram program)
      throws Exception {
    RunDirectory scratch = begin(parent, name, recorded.ranks());
    EmbeddedJob.run(
        JobRequest.of(recorded.ranks(), new Schedule.Replay(recorded)).tracedIn(scratch.path()),
        program);
    return scratch;
  }

  private Recordings() {}
}
