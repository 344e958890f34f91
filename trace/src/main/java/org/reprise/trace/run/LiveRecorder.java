package org.reprise.trace.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;

/**
 * The process that is recording a run, while it lives: the Reprise that started it, or a rank that
 * outlived a Reprise which was killed. A process number alone can have been given to somebody else,
 * so the time it started counts too.
 */
public final class LiveRecorder {
  /** The kernel counts a process's start in ticks since boot; the boot time wanders. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  /** The identity of this process, for the runs it records. */
  public static RunDescription.RecorderProcess self() {
    ProcessHandle self = ProcessHandle.current();
    return new RunDescription.RecorderProcess(
        self.pid(), hostName(), self.info().startInstant().orElse(Instant.EPOCH));
  }

  /** The number of a living process that records this run. */
  public static Optional<Long> of(RunDirectory run) {
    RunDescription description;
    try {
      description = run.description();
    } catch (TraceError e) {
      return Optional.empty();
    }
    if (!(description.ending() instanceof Ending.Unfinished)) {
      return Optional.empty();
    }
    String here = hostName();
    RunDescription.RecorderProcess recorder = description.recorder();
    return Optional.of(recorder)
        .filter(process -> process.host().equals(here))
        .filter(process -> startedAt(process.pid(), process.started()))
        .map(RunDescription.RecorderProcess::pid)
        .or(() -> liveRank(run, here));
  }

  private static boolean startedAt(long pid, Instant started) {
    return start(pid)
        .filter(start -> start.minus(TOLERANCE).isBefore(started))
        .filter(start -> start.plus(TOLERANCE).isAfter(started))
        .isPresent();
  }

  private static Optional<Long> liveRank(RunDirectory run, String here) {
    for (Rank rank : run.ranks()) {
      try {
        RankHeader header = run.header(rank);
        Instant opened = Instant.ofEpochSecond(0, header.get(HeaderField.START_NANOS));
        boolean alive =
            header.state() == Wire.State.RUNNING
                && header.host().equals(here)
                && start(header.pid())
                    .filter(start -> start.minus(TOLERANCE).isBefore(opened))
                    .isPresent();
        if (alive) {
          return Optional.of(header.pid());
        }
      } catch (TraceError e) {
        // Nobody can say who writes this file; whoever reads it will say that it is damaged.
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> start(long pid) {
    return pid <= 0 || isZombie(pid)
        ? Optional.empty()
        : ProcessHandle.of(pid).flatMap(process -> process.info().startInstant());
  }

  /**
   * Whether a process has ended and only waits to be asked for its status. In a container whose
   * first process asks nobody, ranks that outlived their launcher stay so for ever.
   */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false;
    }
  }

  /** The name of this machine as the kernel knows it, which is also what ranks write. */
  public static String hostName() {
    return Host.NAME;
  }

  /** Asked once: ranks of the embedded engine write it into each of their files. */
  private static final class Host {
    static final String NAME = readHostName();
  }

  private static String readHostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }

  private LiveRecorder() {}
}
