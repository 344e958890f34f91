package org.reprise.ranks.inputs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.journal.FileJournal;
import org.reprise.trace.inputs.Input;

/**
 * Recorded inputs, given back to each thread of the rank in their order. What was not recorded
 * comes from the machine and is counted: the program reads more, or other things, than it did.
 */
public final class ReplayedInputs implements Inputs {
  private final Map<Integer, Deque<Input>> left = new HashMap<>();
  private final FileJournal journal;

  public ReplayedInputs(Iterator<Input> recorded, FileJournal journal) {
    this.journal = journal;
    int thread = 0;
    while (recorded.hasNext()) {
      Input input = recorded.next();
      if (input instanceof Input.ThreadSwitch(long next)) {
        thread = (int) next;
      } else {
        of(thread).add(input);
      }
    }
  }

  private Deque<Input> of(int thread) {
    return left.computeIfAbsent(thread, _ -> new ArrayDeque<>());
  }

  private synchronized long clock(int clock, Inputs otherwise) {
    Deque<Input> own = of(CurrentRank.thread());
    if (own.peek() instanceof Input.Clock(int recorded, long nanos) && recorded == clock) {
      own.remove();
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
    Deque<Input> own = of(CurrentRank.thread());
    if (own.peek() instanceof Input.Bytes(Input.HexBytes(String hex))
        && hex.length() == 2 * bytes.length) {
      own.remove();
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
