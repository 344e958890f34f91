package org.reprise.debugger.hold;

import java.util.Arrays;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Which events of a rank are which calls. A call that completes several requests is several events,
 * and failed polls in a row are one: a rank is held by its calls, and users count events.
 */
public final class CallIndex {
  /** By event: how many calls were over before the call that it is of began. */
  private final long[] calls;

  private final long all;

  private CallIndex(long[] calls, long all) {
    this.calls = calls;
    this.all = all;
  }

  /** The index of a rank's events, all of which the cursor is still before. */
  public static CallIndex of(EventCursor events) {
    long[] calls = new long[1024];
    int size = 0;
    long over = 0;
    long polls = 0;
    int kindsOfPolls = 0;
    while (events.advance()) {
      if (size == calls.length) {
        calls = Arrays.copyOf(calls, 2 * size);
      }
      if (events.kind() == EventKind.POLLS) {
        // Polls of several kinds alternate: that each was made once is all that is known of where
        // the next kind begins.
        calls[size++] = over + kindsOfPolls++;
        polls += events.bytes();
      } else {
        over += polls;
        polls = 0;
        kindsOfPolls = 0;
        calls[size++] = over;
        over += events.is(EventFlag.JOINED) ? 0 : 1;
      }
    }
    return new CallIndex(Arrays.copyOf(calls, size), over + polls);
  }

  /** How many events the rank has. */
  public int events() {
    return calls.length;
  }

  /** How many calls it makes. */
  public long calls() {
    return all;
  }

  /** How many calls are over before the call of an event begins; of its number of events, all. */
  public long callsBefore(int event) {
    return event < calls.length ? calls[event] : all;
  }

  /** The first event of the call that an event is of. */
  public int firstOfCall(int event) {
    int first = event;
    while (first > 0 && first < calls.length && calls[first - 1] == calls[event]) {
      first--;
    }
    return first;
  }

  /** The last event of the call that an event is of. */
  public int lastOfCall(int event) {
    int last = event;
    while (last + 1 < calls.length && calls[last + 1] == calls[event]) {
      last++;
    }
    return last;
  }

  /** The first event of the next call of a rank that has returned from so many. */
  public int eventAt(long over) {
    if (over >= all) {
      return calls.length;
    }
    int found = Arrays.binarySearch(calls, over);
    if (found < 0) {
      found = Math.max(0, -found - 2); // among failed polls, which are one event
    }
    return firstOfCall(found);
  }
}
