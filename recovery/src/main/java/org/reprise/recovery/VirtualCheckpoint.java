package org.reprise.recovery;

/**
 * A mark between two calls of a rank, where a checkpoint can be taken in a later execution (Thoai
 * and Volkert 2003, section 8): in the run itself it costs nothing.
 *
 * @param rank whose it is
 * @param index of the checkpoint interval that it begins. Indices of a rank rise, and may leave
 *     some out: an index that is left out means the next mark there is, never the one before
 * @param position how many events of the rank lie before it
 * @param cause why it is there
 */
public record VirtualCheckpoint(int rank, int index, int position, Cause cause) {
  /** Why a mark is where it is. */
  public enum Cause {
    /** The beginning of the rank. */
    START,
    /** The period was over. */
    PERIOD,
    /** A message of a higher interval was received right behind it (section 6). */
    FORCED,
    /** It is part of a consistent cut. */
    CUT
  }
}
