package org.reprise.trace.file;

/**
 * What a blocking call of a rank waits for: a message, or a receiver.
 *
 * @param peer source or destination; negative for any source
 * @param tag negative for any tag
 * @param comm part of the communicator's identity; 0 if unknown
 */
public record WaitNote(Wire.Wait what, int peer, int tag, int comm) {
  /** That of MPI_COMM_WORLD, in every run. */
  public static final int COMM_WORLD = (int) mixedOnce();

  /** {@code reprise_mix(1, 0)}, as the interposer names MPI_COMM_WORLD. */
  private static long mixedOnce() {
    long hash = 0x9E3779B97F4A7C15L;
    return hash ^ (hash >>> 32);
  }
}
