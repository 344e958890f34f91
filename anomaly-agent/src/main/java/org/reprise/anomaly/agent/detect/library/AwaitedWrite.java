package org.reprise.anomaly.agent.detect.library;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;

/** A write of a variable that others may wait for in a loop. */
public final class AwaitedWrite {
  final Publications.Writes variable;

  /** The block that writes. */
  final int tag;

  /** The values that the variable has before and after. */
  final long before;

  final long after;

  /** The locks that the block holds; null where the variable needs none. */
  final @Nullable Integer locks;

  /** What is before those who see the write; nothing as long as nobody can. */
  private Release release = Release.NONE;

  /** Whether the write comes after the one before it on every schedule. */
  boolean follows;

  private final List<WeakReference<Object>> signals = new ArrayList<>();

  AwaitedWrite(
      Publications.Writes variable, int tag, long before, long after, @Nullable Integer locks) {
    this.variable = variable;
    this.tag = tag;
    this.before = before;
    this.after = after;
    this.locks = locks;
  }

  /** Others may see the write, if they have not before. */
  synchronized void isReleased(Release before) {
    if (release == Release.NONE) {
      release = before;
    }
  }

  synchronized Release release() {
    return release;
  }

  /** All who wait in the monitor, or for the condition, are woken up after it. */
  synchronized void wakesAll(Object signal) {
    signals.add(new WeakReference<>(signal));
  }

  synchronized boolean hasWoken(@Nullable Object signal) {
    return signal != null && signals.stream().anyMatch(woken -> woken.refersTo(signal));
  }
}
