package org.reprise.anomaly.agent.block;

import org.jspecify.annotations.Nullable;

/**
 * What a block will have waited for by the time the program's code matters in it: the wait may not
 * be over when it is announced.
 */
final class Awaited {
  private @Nullable Runnable spinning;
  private @Nullable Object spunObject;
  private int spunVariable;

  /** Whether the block is in a loop that waits for the variable. */
  boolean isFor(@Nullable Object object, int variable) {
    return spinning != null && spunObject == object && spunVariable == variable;
  }

  void spin(@Nullable Object object, int variable, Runnable acquisitions) {
    spunObject = object;
    spunVariable = variable;
    spinning = acquisitions;
  }

  /** The waits are over. */
  void settle() {
    Runnable spun = spinning;
    if (spun != null) {
      spinning = null;
      spunObject = null;
      spun.run();
    }
  }
}
