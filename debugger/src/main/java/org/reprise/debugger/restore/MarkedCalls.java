package org.reprise.debugger.restore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.debugger.hold.Stop;
import org.reprise.recovery.Marks;
import org.reprise.recovery.Plan;
import org.reprise.trace.file.PrivateFiles;

/** A plan as ranks understand it: numbers of their calls. */
final class MarkedCalls {
  private final Marks marks;
  private final IntFunction<CallIndex> calls;
  private final long[][] kept;

  private final IntPredicate there;

  /**
   * The calls of a plan.
   *
   * @param there the ranks that are to be restored: what others send them is kept, all of it
   */
  MarkedCalls(Plan plan, IntFunction<CallIndex> calls, IntPredicate there) {
    this.marks = plan.marks();
    this.calls = calls;
    this.there = there;
    EventTable events = plan.marks().timeline().events();
    Pairing pairing = plan.marks().timeline().graph().pairing();
    BitSet[] sends = new BitSet[events.ranks()];
    Arrays.setAll(sends, _ -> new BitSet());
    for (int message = 0; message < pairing.messages(); message++) {
      int send = pairing.send(message);
      boolean within = there.test(events.rank(send));
      boolean isKept = within ? plan.log().hasMessage(message) : there.test(events.peer(send));
      if (isKept) {
        sends[events.rank(send)].set(events.number(send));
      }
    }
    kept = new long[events.ranks()][];
    Arrays.setAll(
        kept,
        rank ->
            sends[rank].stream().mapToLong(calls.apply(rank)::callsBefore).distinct().toArray());
  }

  /** The call on whose entry a checkpoint of a rank is taken. */
  long call(Marks of, int rank, int number) {
    long call = calls.apply(rank).callsBefore(of.position(rank, number));
    return Math.max(call, Stop.FIRST.calls());
  }

  private long[] calls(int rank) {
    if (!there.test(rank)) {
      return new long[0];
    }
    long[] all = new long[marks.count(rank)];
    Arrays.setAll(all, number -> call(marks, rank, number));
    return Arrays.stream(all).distinct().toArray();
  }

  /** How many checkpoints there will be. */
  int count() {
    int count = 0;
    for (int rank = 0; rank < kept.length; rank++) {
      count += calls(rank).length;
    }
    return count;
  }

  void write(Path directory) throws IOException {
    for (int rank = 0; rank < kept.length; rank++) {
      long[] marked = calls(rank);
      ByteBuffer words =
          ByteBuffer.allocate(Long.BYTES * (2 + marked.length + kept[rank].length))
              .order(ByteOrder.nativeOrder());
      words.putLong(marked.length);
      Arrays.stream(marked).forEach(words::putLong);
      words.putLong(kept[rank].length);
      Arrays.stream(kept[rank]).forEach(words::putLong);
      Path file = directory.resolve("rank-" + rank + ".plan");
      PrivateFiles.createFile(file);
      Files.write(file, words.array());
    }
  }
}
