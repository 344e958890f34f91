package org.reprise.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The process that is recording a run, while it lives. A process number alone can have been given
 * to somebody else, so the time it started counts too.
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

  /** The process number of the living recorder of this run. */
  public static Optional<Long> of(RunDirectory run) {
    RunDescription description;
    try {
      description = run.description();
    } catch (TraceError e) {
      return Optional.empty();
    }
    if (!(description.ending() instanceof Ending.Unfinished)
        || !description.recorder().host().equals(hostName())) {
      return Optional.empty();
    }
    RunDescription.RecorderProcess recorder = description.recorder();
    return ProcessHandle.of(recorder.pid())
        .flatMap(process -> process.info().startInstant())
        .filter(start -> start.minus(TOLERANCE).isBefore(recorder.started()))
        .filter(start -> start.plus(TOLERANCE).isAfter(recorder.started()))
        .map(start -> recorder.pid());
  }

  /** The name of this machine as the kernel knows it, which is also what ranks write. */
  public static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }

  private LiveRecorder() {}
}
