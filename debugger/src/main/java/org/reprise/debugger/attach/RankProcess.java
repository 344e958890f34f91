package org.reprise.debugger.attach;

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
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;

/**
 * The living process of a rank that is being recorded, as the rank's own file says. The number of a
 * process that has ended is given to others: the process must have begun before the file says that
 * the rank did, and it must write that file.
 *
 * @param number of the process
 */
record RankProcess(RankHeader header, long number) {
  /** The kernel counts a process's start in ticks since boot; the boot time wanders. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  /** The process of a rank; empty if it is not a rank of this machine any more. */
  static Optional<RankProcess> of(RunDirectory run, Rank rank) {
    RankHeader header;
    try {
      header = run.header(rank);
    } catch (TraceError e) {
      return Optional.empty();
    }
    RankProcess process = new RankProcess(header, header.pid());
    return Optional.of(process).filter(one -> one.isStillIt(run));
  }

  /** Whether the process of this number is the rank, as far as can be known now. */
  boolean isStillIt(RunDirectory run) {
    Instant opened = Instant.ofEpochSecond(0, header.get(HeaderField.START_NANOS));
    return header.host().equals(LiveRecorder.hostName())
        && number > 0
        && ProcessHandle.of(number)
            .flatMap(process -> process.info().startInstant())
            .filter(started -> started.minus(TOLERANCE).isBefore(opened))
            .isPresent()
        && writes(run.orderFile(header.rank()));
  }

  private boolean writes(Path file) {
    try {
      String path = file.toRealPath().toString();
      return Files.readAllLines(directory().resolve("maps")).stream()
          .anyMatch(line -> line.endsWith(path));
    } catch (IOException e) {
      return false; // It has ended, or is not ours to see.
    }
  }

  /** The user whose process it is. */
  Optional<String> owner() {
    return owner(directory());
  }

  /** The user whose process this one is. */
  static Optional<String> self() {
    return owner(Path.of("/proc/self"));
  }

  private static Optional<String> owner(Path process) {
    try {
      return Optional.of(Files.getOwner(process).getName());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Path directory() {
    return Path.of("/proc", Long.toString(number));
  }
}
