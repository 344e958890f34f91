package org.reprise.ranks.hold;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.file.Wire;

/** The ranks of a job that a debugger holds. They end when it does, however it does. */
public final class HeldRanks {
  private static final int KILLED = 137;

  /** Which thread is which rank: read by the debugger, through the Java debug interface. */
  @SuppressWarnings("unused")
  private static volatile @Nullable Thread[] threads = {};

  private final RankHold[] holds;

  private HeldRanks(RankHold[] holds) {
    this.holds = holds;
  }

  /** Connects them to the debugger that has made this directory. */
  public static HeldRanks in(Path control, int ranks) {
    RankHold[] holds = new RankHold[ranks];
    try {
      SocketChannel lifeline = RankHold.connect(control, Wire.HOLD_LIFELINE);
      Thread.ofPlatform().daemon().name("lifeline").start(() -> endWith(lifeline));
    } catch (IOException e) {
      throw RankHold.noDebugger(control, e);
    }
    for (int rank = 0; rank < ranks; rank++) {
      holds[rank] = new RankHold(control, rank);
    }
    threads = new Thread[ranks];
    return new HeldRanks(holds);
  }

  private static void endWith(SocketChannel lifeline) {
    try {
      while (lifeline.read(ByteBuffer.allocate(1)) >= 0) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      // It is broken, which says the same.
    }
    Runtime.getRuntime().halt(KILLED);
  }

  public RankHold of(int rank) {
    return holds[rank];
  }

  /** The calling thread is this rank's, and about to run its program. */
  public void begin(int rank) {
    threads[rank] = Thread.currentThread();
    holds[rank].begin();
  }
}
