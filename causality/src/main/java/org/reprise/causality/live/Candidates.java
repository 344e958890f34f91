package org.reprise.causality.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.causality.races.RaceScan;

/**
 * For the wildcard receives and probes of one rank that ask for one communicator and tag, or any
 * tag: the messages that they could have got, and those that have to wait for one. It is {@link
 * RaceScan} turned round: of each source a receive can race only with the first message that no
 * receive posted before it took, so either that message is there when the receive is looked at, or
 * the receive waits for the next one that this source sends.
 */
final class Candidates {
  /** Fewer than so many that wait are not worth a look. */
  private final int few;

  private final RaceTest test;

  /** Receives and probes of this pattern that are not looked at yet, by posting. */
  private final ArrayDeque<Receive> unscanned = new ArrayDeque<>();

  /** Who can send what it asks for. */
  private final BitSet senders;

  /** By source: messages that one of those may get, or a later one. */
  private final @Nullable ArrayDeque<Message>[] messages;

  /** The sources that have any. */
  private final BitSet present = new BitSet();

  /** By source without messages: of those looked at the first one that waits for one. */
  private final int[] from;

  /** By source with messages: those that found all of them taken, and wait as well. */
  private final @Nullable List<Scanned>[] late;

  /** Those looked at that may have to wait, and the greatest limit so far at each. */
  private final List<Scanned> scanned = new ArrayList<>();

  private int[] mostSoFar = new int[16];
  private int compactedTo;

  @SuppressWarnings({"unchecked", "rawtypes"})
  Candidates(RaceTest test, int ranks, BitSet senders, int few) {
    this.test = test;
    this.few = few;
    compactedTo = few;
    this.senders = senders;
    messages = new ArrayDeque[ranks];
    late = new List[ranks];
    from = new int[ranks];
  }

  /** A receive or probe of the pattern is posted. */
  void post(Receive receive) {
    unscanned.addLast(receive);
  }

  private int firstUnscanned() {
    while (!unscanned.isEmpty() && unscanned.getFirst().scanned) {
      unscanned.removeFirst();
    }
    return unscanned.isEmpty() ? Receive.NEVER : unscanned.getFirst().number;
  }

  /** A message is sent. */
  void arrive(Message message) {
    int source = message.source;
    if (!present.get(source)) {
      for (int i = scanned.size() - 1; i >= from[source] && mostSoFar[i] > message.known; i--) {
        test.race(scanned.get(i), message);
      }
    }
    List<Scanned> waiting = late[source];
    if (waiting != null) {
      waiting.forEach(each -> test.race(each, message));
      late[source] = null;
    }
    ArrayDeque<Message> queue = messages[source];
    if (queue == null) {
      queue = new ArrayDeque<>(4);
      messages[source] = queue;
    }
    queue.addLast(message);
    present.set(source);
    trim(source);
  }

  /** A receive or probe got its message, and all is known that bears on what else it could get. */
  void scan(Receive receive) {
    Scanned one = new Scanned(receive, receive.isPlain);
    for (int source = present.nextSetBit(0); source >= 0; source = present.nextSetBit(source + 1)) {
      if (source == receive.tookSource) {
        continue;
      }
      Message head = head(source, receive.number);
      if (head != null) {
        test.race(one, head);
      } else {
        List<Scanned> waiting = late[source];
        if (waiting == null) {
          waiting = new ArrayList<>();
          late[source] = waiting;
        }
        waiting.add(one);
      }
    }
    int at = scanned.size();
    if (at == mostSoFar.length) {
      mostSoFar = Arrays.copyOf(mostSoFar, 2 * at);
    }
    mostSoFar[at] = Math.max(one.limit(), at == 0 ? 0 : mostSoFar[at - 1]);
    scanned.add(one);
    drop(receive);
  }

  /** A receive or probe of the pattern got nothing, or is done with. */
  void drop(Receive receive) {
    receive.scanned = true;
    for (int source = present.nextSetBit(0); source >= 0; source = present.nextSetBit(source + 1)) {
      trim(source);
    }
  }

  private @Nullable Message head(int source, int receive) {
    ArrayDeque<Message> queue = messages[source];
    if (queue != null) {
      for (Message message : queue) {
        if (!message.isTakenBefore(receive)) {
          return message;
        }
      }
    }
    return null;
  }

  /** Forgets messages that whoever asks from now on finds taken. */
  void trim(int source) {
    ArrayDeque<Message> queue = messages[source];
    if (queue == null) {
      return;
    }
    int first = firstUnscanned();
    while (!queue.isEmpty() && queue.getFirst().isTakenBefore(first)) {
      queue.removeFirst();
    }
    if (queue.isEmpty()) {
      messages[source] = null;
      present.clear(source);
      from[source] = scanned.size();
    }
  }

  /** Whether there is more to forget than an eighth of what was kept after the last time. */
  boolean isLarge() {
    return scanned.size() > 2 * compactedTo;
  }

  /**
   * Forgets those that no message can race with any more, and counts together those that make no
   * difference to any message that may come.
   *
   * @param knows what each source knows of this rank
   * @param levels what can be known of it by whoever learns of it, in rising order
   */
  void compact(int[] knows, int[] levels) {
    List<Scanned> kept = new ArrayList<>();
    int[] place = new int[scanned.size() + 1];
    int[] fromNow = from.clone();
    int earliest = scanned.size();
    int least = Integer.MAX_VALUE;
    BitSet starts = new BitSet();
    for (int source = senders.nextSetBit(0); source >= 0; source = senders.nextSetBit(source + 1)) {
      if (!present.get(source)) {
        starts.set(from[source]);
        least = Math.min(least, knows[source]);
        earliest = Math.min(earliest, from[source]);
      }
    }
    Set<Scanned> lateOnes = Collections.newSetFromMap(new IdentityHashMap<>());
    for (List<Scanned> waiting : late) {
      if (waiting != null) {
        lateOnes.addAll(waiting);
      }
    }
    int lastLevel = -1;
    for (int i = 0; i < scanned.size(); i++) {
      place[i] = kept.size();
      Scanned one = scanned.get(i);
      if (i < earliest || one.limit() <= least) {
        // Nobody waits, or all who may send know better; if it is uncertain, that was noted.
        continue;
      }
      int at = Arrays.binarySearch(levels, one.limit());
      int level = at >= 0 ? at : -at - 1;
      boolean joins =
          !kept.isEmpty() && !starts.get(i) && level == lastLevel && kept.getLast().isLike(one);
      if (joins && !lateOnes.contains(one) && !lateOnes.contains(kept.getLast())) {
        place[i] = kept.size() - 1;
        kept.getLast().add(one);
      } else {
        kept.add(one);
      }
      lastLevel = level;
    }
    place[scanned.size()] = kept.size();
    for (int source = 0; source < from.length; source++) {
      fromNow[source] = place[from[source]];
    }
    System.arraycopy(fromNow, 0, from, 0, from.length);
    scanned.clear();
    scanned.addAll(kept);
    mostSoFar = new int[Math.max(16, kept.size())];
    for (int i = 0; i < kept.size(); i++) {
      mostSoFar[i] = Math.max(kept.get(i).limit(), i == 0 ? 0 : mostSoFar[i - 1]);
    }
    compactedTo = Math.max(few, kept.size());
  }

  /** Tells of those of which it is uncertain whether they race. */
  void tellUncertain(LiveSink sink) {
    for (Scanned each : scanned) {
      if (each.uncertain && !each.isRacing()) {
        sink.uncertain(test.rank(), each.number, each.site);
      }
    }
  }

  /** Whether nothing is left of it. */
  boolean isIdle() {
    return firstUnscanned() == Receive.NEVER && present.isEmpty() && scanned.isEmpty();
  }

  int size() {
    return scanned.size();
  }
}
