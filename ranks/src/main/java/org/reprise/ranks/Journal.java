package org.reprise.ranks;

import java.util.HashMap;
import java.util.Map;
import org.reprise.trace.Wire;

/**
 * What a rank's calls came to, as rank files have it: outcomes of what was left open, and a hash
 * over everything that was received. This one only keeps the hash and counts; {@link FileJournal}
 * writes the file, {@link SignedJournal} sums up the outcomes.
 *
 * <p>Every message goes through it: hot.
 */
class Journal {
  /** The thread whose calls come now; the others' hashes are added up. */
  private int thread;

  private long hash;
  private long othersHash;
  private final Map<Integer, Long> hashes = new HashMap<>(0);
  private long events;
  private long posts;

  final long orderHash() {
    return hash + othersHash;
  }

  /** What follows is done by this thread of the rank, 0 at first. */
  final void goOnIn(int next) {
    if (next == thread) {
      return;
    }
    hashes.put(thread, hash);
    othersHash += hash;
    thread = next;
    hash = hashes.getOrDefault(next, 0L);
    othersHash -= hash;
    switched(next);
  }

  final int thread() {
    return thread;
  }

  /** Another thread goes on. */
  void switched(int next) {}

  /** Whether the order of the rank's threads goes into a file. */
  boolean keepsTurns() {
    return false;
  }

  /** It is another thread's turn, after so many steps of the one before. */
  void turn(int next, long steps) {}

  /** In a replay: the order of threads is not kept any longer. */
  void turnsGivenUp() {}

  final long events() {
    return events;
  }

  final long posts() {
    return posts;
  }

  void called(MpiCall call) {}

  /** The rank falls asleep in its call. */
  void waits() {}

  void returned() {}

  /** The number of the next non-blocking operation. */
  long nextPost() {
    return posts++;
  }

  /** A blocking receive or probe, or a successful Iprobe, that left its source or tag open. */
  void chose(Wire.Kind kind, int source, int tag, boolean withTag) {}

  /** A non-blocking receive that left its source or tag open took this. */
  void postTook(long post, int source, int tag, boolean withTag) {}

  void postEnded(long post, Wire.PostEnd end) {}

  /** A call reported that a receive was cancelled in time. */
  void cancelReported(long post) {}

  void pollFailed() {}

  void pollHit(Wire.Poll poll) {}

  /** What a Waitany or Testany reported; {@link Fabric#UNDEFINED} if nothing was active. */
  void index(int index) {}

  /** What a Waitsome or Testsome reported. */
  void indices(boolean defined, int[] indices) {}

  final void received(Received message, long comm) {
    mix(
        (long) message.source() << Integer.SIZE | Integer.toUnsignedLong(message.tag()),
        message.bytes() ^ comm);
    countReceive();
  }

  void countReceive() {}

  final void probed(Received message) {
    mix(
        (long) message.source() << Integer.SIZE | Integer.toUnsignedLong(message.tag()),
        Wire.Kind.PROBE.ordinal());
  }

  final void reported(Wire.Kind kind, int index) {
    mix(kind.ordinal(), index);
  }

  private void mix(long first, long second) {
    hash = Identity.mix(Identity.mix(hash, first), second);
    events++;
    hashed(events, orderHash());
  }

  /** The hash after so many events. */
  void hashed(long eventCount, long orderHash) {}

  /** How far the rank got; nothing is written afterwards but its exit status. */
  void ended(Wire.State state, int status) {}

  /** The job ended under the rank: it stays as it was. */
  void cutOff() {}

  /** The program's end. */
  void exited(int status) {}
}
