package org.reprise.ranks.journal;

import java.util.HashMap;
import java.util.Map;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Received;
import org.reprise.trace.file.Wire;

/**
 * What a rank's calls came to, as rank files have it: outcomes of what was left open, and a hash
 * over everything that was received. This one only keeps the hash and counts; {@link FileJournal}
 * writes the file, {@link SignedJournal} sums up the outcomes.
 *
 * <p>Every message goes through it: hot.
 */
public class Journal {
  /** The thread whose calls come now; the others' hashes are added up. */
  private int thread;

  private long hash;
  private long othersHash;
  private final Map<Integer, Long> hashes = new HashMap<>(0);
  private long events;
  private long posts;

  public final long orderHash() {
    return hash + othersHash;
  }

  /** What follows is done by this thread of the rank, 0 at first. */
  public final void goOnIn(int next) {
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
  public boolean keepsTurns() {
    return false;
  }

  /** It is another thread's turn, after so many steps of the one before. */
  public void turn(int next, long steps) {}

  /** This thread is about to take a lock; called in the order in which a scheduler grants locks. */
  public void locks(int locking) {}

  /** Names what is received next: a thread of its sender, and its n-th message. */
  public void cameFrom(long origin) {}

  /** In a replay: the order of threads is not kept any longer. */
  public void turnsGivenUp() {}

  public final long events() {
    return events;
  }

  public final long posts() {
    return posts;
  }

  public void called(MpiCall call) {}

  /** The rank falls asleep in its call. */
  public void waits() {}

  public void returned() {}

  /** The number of the next non-blocking operation. */
  public long nextPost() {
    return posts++;
  }

  /** A blocking receive or probe, or a successful Iprobe, that left its source or tag open. */
  public void chose(Wire.Kind kind, int source, int tag, boolean withTag) {}

  /** A non-blocking receive that left its source or tag open took this. */
  public void postTook(long post, int source, int tag, boolean withTag) {}

  public void postEnded(long post, Wire.PostEnd end) {}

  /** A call reported that a receive was cancelled in time. */
  public void cancelReported(long post) {}

  public void pollFailed() {}

  public void pollHit(Wire.Poll poll) {}

  /** What a Waitany or Testany reported; {@link Fabric#UNDEFINED} if nothing was active. */
  public void index(int index) {}

  /** What a Waitsome or Testsome reported. */
  public void indices(boolean defined, int[] indices) {}

  public final void received(Received message, long comm) {
    mix(
        (long) message.source() << Integer.SIZE | Integer.toUnsignedLong(message.tag()),
        message.bytes() ^ comm);
    countReceive();
  }

  void countReceive() {}

  public final void probed(Received message) {
    mix(
        (long) message.source() << Integer.SIZE | Integer.toUnsignedLong(message.tag()),
        Wire.Kind.PROBE.ordinal());
  }

  public final void reported(Wire.Kind kind, int index) {
    mix(kind.ordinal(), index);
  }

  private void mix(long first, long second) {
    hash = Identity.mix(Identity.mix(hash, first), second);
    events++;
    hashed(events, orderHash());
  }

  /** The hash after so many events. */
  void hashed(long eventCount, long orderHash) {}

  /** The hash over what the thread received whose calls come now. */
  final long threadHash() {
    return hash;
  }

  /** How far the rank got; nothing is written afterwards but its exit status. */
  public void ended(Wire.State state, int status) {}

  /** The job ended under the rank: it stays as it was. */
  public void cutOff() {}

  /** The program's end. */
  public void exited(int status) {}
}
