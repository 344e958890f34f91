package org.reprise.ranks.inputs;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.journal.FileJournal;
import org.reprise.trace.file.LiveRankFile;
import org.reprise.trace.file.RankFiles;
import org.reprise.trace.file.Wire;

/**
 * Inputs that are written into {@code rank-<r>.inputs} as they are read, for a replay. The file is
 * made with the first one: most ranks read nothing.
 */
public final class RecordedInputs implements Inputs {
  static final int MONOTONIC = 1;
  static final int REALTIME = 0;

  private final Inputs source;
  private final RankFiles files;
  private final int rank;
  private final int ranks;
  private final Runnable noRoom;
  private @Nullable LiveRankFile file;
  private boolean lost;

  /** What each thread has read last of each clock. */
  private final Map<Integer, Map<Integer, Long>> last = new HashMap<>();

  private int thread;

  /**
   * Inputs of a rank.
   *
   * @param noRoom is told if the file cannot be made; the program goes on, unrecorded
   */
  public RecordedInputs(Inputs source, RankFiles files, int rank, int ranks, Runnable noRoom) {
    this.noRoom = noRoom;
    this.source = source;
    this.files = files;
    this.rank = rank;
    this.ranks = ranks;
  }

  private @Nullable LiveRankFile file() {
    if (file == null && !lost) {
      try {
        file =
            files.create(
                "rank-" + rank + ".inputs",
                FileJournal.header(Wire.FileKind.INPUTS, Wire.Mode.RECORD, rank, ranks));
      } catch (IOException e) {
        lost = true;
        noRoom.run();
        System.err.println(
            "reprise: a rank's inputs are not recorded: the disk is full; the program runs on");
      }
    }
    return file;
  }

  /** What follows is read by the calling thread. */
  private void mark(@Nullable LiveRankFile to) {
    int self = CurrentRank.thread();
    if (to != null && self != thread && to.begin(Wire.InputKind.THREAD.ordinal(), self, 0)) {
      thread = self;
      to.commit();
    }
  }

  private synchronized long clock(int clock, long nanos) {
    @Nullable LiveRankFile to = file();
    mark(to);
    if (to != null && to.begin(Wire.InputKind.CLOCK.ordinal(), clock, 0)) {
      Long before = last.computeIfAbsent(thread, _ -> new HashMap<>()).put(clock, nanos);
      to.zigzag(before == null ? nanos : nanos - before);
      to.commit();
    }
    return nanos;
  }

  @Override
  public long nanoTime() {
    return clock(MONOTONIC, source.nanoTime());
  }

  @Override
  public long wallNanos() {
    return clock(REALTIME, source.wallNanos());
  }

  @Override
  public synchronized void randomBytes(byte[] bytes) {
    source.randomBytes(bytes);
    @Nullable LiveRankFile to = file();
    mark(to);
    if (to != null && to.begin(Wire.InputKind.BYTES.ordinal(), bytes.length, bytes.length)) {
      for (byte b : bytes) {
        to.putByte(b);
      }
      to.commit();
    }
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    source.sleep(nanos);
  }

  /** Nothing more comes. */
  public synchronized void close() {
    if (file != null) {
      file.close();
    }
  }
}
