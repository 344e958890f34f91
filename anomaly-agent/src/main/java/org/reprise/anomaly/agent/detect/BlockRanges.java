package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import org.reprise.anomaly.agent.detect.history.Kind;

/** Array accesses of the current block that the shadows do not have yet. */
final class BlockRanges {
  private static final int COUNT_MAX = 1 << 10;

  /** As many of those used last are looked at: another one of the same array does no harm. */
  private static final int LOOKED_AT = 8;

  private final Coverage.Listener listener;
  private Coverage[] all = new Coverage[0];
  private int count;

  BlockRanges(Coverage.Listener listener) {
    this.listener = listener;
  }

  /** Whether there is no room for another array until the shadows are told. */
  boolean isFull() {
    return count == COUNT_MAX;
  }

  /** What the block did to the array in this way. */
  Coverage of(ArrayShadow shadow, Kind kind, int locks) {
    for (int i = count - 1; i >= 0 && i >= count - LOOKED_AT; i--) {
      if (all[i].isOf(shadow, kind, locks)) {
        return all[i];
      }
    }
    if (count == all.length) {
      all = Arrays.copyOf(all, Math.max(8, 2 * count));
      for (int i = count; i < all.length; i++) {
        all[i] = new Coverage();
      }
    }
    Coverage coverage = all[count++];
    coverage.begin(shadow, kind, locks);
    return coverage;
  }

  void tell(Coverage coverage) {
    coverage.tell(listener);
  }

  /** Tells the shadows everything. */
  void tell() {
    for (int i = 0; i < count; i++) {
      all[i].tell(listener);
      all[i].forget();
    }
    count = 0;
  }
}
