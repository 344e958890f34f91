package org.reprise.analysis;

import org.reprise.causality.EventTable;
import org.reprise.trace.UserError;
import org.reprise.trace.text.Words;

/**
 * What the analysis of a run needs of the heap, known before it begins: who has too little is told
 * at once, and not after minutes.
 */
public final class AnalysisMemory {
  /** An event of a common program in the table, and what the passes keep for it. */
  private static final long BYTES_AN_EVENT = 24;

  /** Of the heap, in hundredths, for what is kept: clocks and short-lived objects need the rest. */
  private static final long USABLE = 80;

  private AnalysisMemory() {}

  /** Refuses a run that is too large, by the number of its events; before they are read. */
  static void require(long events) {
    require(events, BYTES_AN_EVENT * events, Runtime.getRuntime().maxMemory());
  }

  /** The same once they are read, and known better. */
  static void require(EventTable events) {
    require(events.size(), events.bytesToAnalyse(), Runtime.getRuntime().maxMemory());
  }

  static void require(long events, long bytes, long heap) {
    if (bytes * 100 > heap * USABLE) {
      throw new UserError(
          "the events of this run need more memory than Reprise may use",
          "%s, which need about %s; the heap is %s"
              .formatted(
                  Words.count(events, "event"),
                  Words.bytes(bytes * 100 / USABLE),
                  Words.bytes(heap)),
          "give it more: " + moreHeap(bytes * 100 / USABLE));
    }
  }

  /** For whoever ran out of memory nevertheless. */
  public static UserError exhausted() {
    long heap = Runtime.getRuntime().maxMemory();
    return new UserError(
        "Reprise ran out of memory",
        "a heap of " + Words.bytes(heap),
        "give it more: " + moreHeap(2 * heap));
  }

  /** A little more than that, as Java counts less as its heap than it is given. */
  private static String moreHeap(long bytes) {
    return "REPRISE_HEAP=" + Math.ceilDiv(bytes + bytes / 20, 1L << 30) + "g in the environment";
  }
}
