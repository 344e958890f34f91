package org.reprise.launch.verdict;

import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;

/**
 * A rank of a running replay at one moment, as far as it tells whether the rank gets on. Counters
 * are read while the rank changes them, so only growth between two moments counts.
 *
 * @param calls MPI calls entered
 * @param steps what only grows when the replay gets on: messages, outcomes, posts, and failed polls
 *     that the recording had, too
 * @param vainPolls failed polls the recording did not have
 * @param inCall whether it is inside an MPI call
 * @param live whether its process is there and has not finished
 * @param held whether a debugger holds it
 * @param stopped whether a signal has stopped it
 * @param atEnd whether it has replayed everything
 * @param work the processor time that its process has used, in hundredths of a second
 */
record RankMoment(
    Rank rank,
    long calls,
    long steps,
    long vainPolls,
    boolean inCall,
    boolean live,
    boolean held,
    boolean stopped,
    boolean atEnd,
    long work) {
  /** So little is no computation: libraries have threads that look around now and then. */
  private static final int IDLE_WORK_MAX = 2;

  static RankMoment of(
      RankHeader header, boolean processAlive, boolean held, boolean stopped, long work) {
    boolean atEnd = header.has(Wire.Flag.REACHED_END) || header.state() == Wire.State.FINALIZED;
    boolean free = atEnd || header.divergence().isPresent();
    long failed = header.get(HeaderField.POLLS_FAILED_TOTAL);
    long vain = free ? failed : header.get(HeaderField.POLLS_BEYOND);
    long steps =
        header.events()
            + header.get(HeaderField.REPLAYED)
            + header.get(HeaderField.POSTS)
            + (failed - vain);
    return new RankMoment(
        header.rank(),
        header.calls(),
        steps,
        vain,
        header.currentCall().isPresent(),
        processAlive && header.state() == Wire.State.RUNNING,
        held,
        stopped,
        atEnd,
        work);
  }

  /** It has got on since: made a step, or entered calls that were not polls in vain. */
  boolean hasMovedSince(RankMoment before) {
    boolean polled = vainPolls > before.vainPolls;
    return steps > before.steps || (calls > before.calls && !polled) || live != before.live;
  }

  /**
   * It has not got on since, and not because it computes: it waits in MPI, polls in vain, is
   * stopped, or sleeps behind the end of its recording, as it may have done when that ended.
   */
  boolean waitsSince(RankMoment before) {
    boolean inSameCall = inCall && calls == before.calls;
    boolean sleeps = atEnd && calls == before.calls && work - before.work <= IDLE_WORK_MAX;
    return !held && (stopped || inSameCall || sleeps || vainPolls > before.vainPolls);
  }
}
