package org.reprise.launch.verdict;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/**
 * Tells when a replay is past the end of a run that was cut off. From there on the program runs by
 * itself, and one that was interrupted because it never ended does not end in the replay either.
 */
public final class RecordingEndWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final Map<Rank, RankHeader> recorded;
  private final RunDirectory directory;
  private final boolean beyond;
  private final Runnable onEnd;
  private final Thread thread;

  private RecordingEndWatch(
      Map<Rank, RankHeader> recorded, RunDirectory directory, boolean beyond, Runnable onEnd) {
    this.recorded = recorded;
    this.directory = directory;
    this.beyond = beyond;
    this.onEnd = onEnd;
    this.thread = Thread.ofPlatform().daemon().name("recording-end-watch").unstarted(this::run);
  }

  /**
   * Starts watching, if the run was cut off.
   *
   * @param directory where the ranks of the replay write
   * @param beyond whether every rank must have made another call there: who crashed does not
   * @param onEnd called once, in the watch's own thread, when the ranks are at the end or beyond
   */
  public static RecordingEndWatch start(
      RecordedRun recorded, RunDirectory directory, boolean beyond, Runnable onEnd) {
    RecordingEndWatch watch = new RecordingEndWatch(recorded.headers(), directory, beyond, onEnd);
    if (recorded.headers().values().stream()
        .anyMatch(header -> header.state() == Wire.State.RUNNING)) {
      watch.thread.start();
    }
    return watch;
  }

  private void run() {
    try {
      // Twice in a row: most programs that were cut off end at the same place by themselves.
      for (int seen = 0; seen < 2; seen = isOver() ? seen + 1 : 0) {
        Thread.sleep(PAUSE);
      }
      onEnd.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOver() {
    SortedMap<Rank, RankHeader> replayed = StallWatch.headers(directory);
    boolean movesOn = false;
    for (RankHeader it : recorded.values()) {
      RankHeader now = replayed.get(it.rank());
      if (now == null || !isPast(it, now) || beyond && now.calls() <= it.calls()) {
        return false;
      }
      movesOn |= movesOn(it, now);
    }
    return movesOn;
  }

  /** Not where all wait in the calls in which they were cut off: that is a deadlock met again. */
  private static boolean movesOn(RankHeader recorded, RankHeader now) {
    return now.calls() > recorded.calls() || now.currentCall().isEmpty();
  }

  /** Whether a rank of the replay is where the recorded one was cut off, or further, or ended. */
  private static boolean isPast(RankHeader recorded, RankHeader now) {
    if (now.state() != Wire.State.RUNNING) {
      return true;
    }
    boolean isThere =
        now.calls() > recorded.calls()
            || (now.calls() == recorded.calls()
                && (recorded.currentCall().isPresent() || now.currentCall().isEmpty()));
    return recorded.state() == Wire.State.RUNNING && isThere && now.has(Wire.Flag.REACHED_END);
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
