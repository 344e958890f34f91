package org.reprise.ranks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Iterator;
import org.reprise.trace.Input;

/**
 * Recorded inputs, given back in their order. What was not recorded comes from the machine and is
 * counted: the program reads more, or other things, than it did.
 */
final class ReplayedInputs implements Inputs {
  private final Deque<Input> left = new ArrayDeque<>();
  private final FileJournal journal;

  ReplayedInputs(Iterator<Input> recorded, FileJournal journal) {
    this.journal = journal;
    recorded.forEachRemaining(left::add);
  }

  private synchronized long clock(int clock, Inputs otherwise) {
    if (left.peek() instanceof Input.Clock(int recorded, long nanos) && recorded == clock) {
      left.remove();
      return nanos;
    }
    journal.inputUnmatched();
    return clock == RecordedInputs.MONOTONIC ? otherwise.nanoTime() : otherwise.wallNanos();
  }

  @Override
  public long nanoTime() {
    return clock(RecordedInputs.MONOTONIC, MachineInputs.INSTANCE);
  }

  @Override
  public long wallNanos() {
    return clock(RecordedInputs.REALTIME, MachineInputs.INSTANCE);
  }

  @Override
  public synchronized void randomBytes(byte[] bytes) {
    if (left.peek() instanceof Input.Bytes(Input.HexBytes(String hex))
        && hex.length() == 2 * bytes.length) {
      left.remove();
      System.arraycopy(HexFormat.of().parseHex(hex), 0, bytes, 0, bytes.length);
      return;
    }
    journal.inputUnmatched();
    MachineInputs.INSTANCE.randomBytes(bytes);
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    MachineInputs.INSTANCE.sleep(nanos);
  }
}
