package org.reprise.launch.run;

import java.nio.file.Files;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.run.RankRecords;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * One execution of many that a search makes: looked at once, and seldom kept. It becomes a run on
 * disk when somebody asks for one, if it is none already.
 */
public sealed interface Attempt {
  /** How it ended, and whether the plan was used up. Its run need not be on disk. */
  Followed followed();

  /** Its description, and the headers of its ranks. */
  RecordedRun run();

  /** What its ranks recorded. */
  RankRecords records();

  /** What it printed. */
  RunOutput output();

  /** Its run, on disk. */
  RunDirectory written();

  /** Removes what it left, if it was not moved elsewhere. */
  void remove();

  /** One that was recorded as a run. */
  final class OnDisk implements Attempt {
    private final Followed followed;
    private final RunOutput output;
    private @Nullable RecordedRun run;

    public OnDisk(Followed followed, RunOutput output) {
      this.followed = followed;
      this.output = output;
    }

    @Override
    public Followed followed() {
      return followed;
    }

    @Override
    public RunOutput output() {
      return output;
    }

    /** Read when it is first asked for: a command that started no ranks left no run. */
    @Override
    public RecordedRun run() {
      RecordedRun known = run;
      if (known == null) {
        known = RecordedRun.open(written());
        run = known;
      }
      return known;
    }

    @Override
    public RankRecords records() {
      return written();
    }

    @Override
    public RunDirectory written() {
      return followed.recording().run();
    }

    @Override
    public void remove() {
      if (Files.exists(written().path())) {
        NewRun.removeQuietly(written());
      }
    }
  }

  /**
   * One that lies in memory.
   *
   * @param writer writes it as a run
   */
  record InMemory(
      Followed followed,
      RecordedRun run,
      RankRecords records,
      RunOutput output,
      Supplier<RunDirectory> writer)
      implements Attempt {
    @Override
    public RunDirectory written() {
      return writer.get();
    }

    @Override
    public void remove() {}
  }
}
