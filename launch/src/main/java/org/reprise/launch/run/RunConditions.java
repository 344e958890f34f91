package org.reprise.launch.run;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Under which conditions a program runs: those of a user, or those of one run of many that a search
 * makes.
 *
 * @param output an existing directory that gets what the program prints instead: in files {@code
 *     out} and {@code err}, or in {@code rank-<r>.out} and {@code rank-<r>.err} where ranks share a
 *     process
 * @param directory where the program runs instead; only where ranks are processes
 * @param endsAtRest whether a rank that aborts or crashes ends the others only when they have gone
 *     as far as they can, so that they do not stop at some place that time decides
 * @param pollsTold in the events, so many failures in a row of the same poll say what it asked for
 */
public record RunConditions(
    Optional<Path> output, Optional<Path> directory, boolean endsAtRest, int pollsTold) {
  /** So long, in seconds, the others may go on at most: ranks that poll never come to rest. */
  public static final String REST_SECONDS = "10";

  /** It prints where Reprise does, in its own directory, and ends when it ends. */
  public static final RunConditions USUAL =
      new RunConditions(Optional.empty(), Optional.empty(), false, 0);

  /** One of many runs: what it prints is kept, and it ends when nothing more can happen. */
  public static RunConditions ofSearch(Path output, Optional<Path> directory, int pollsTold) {
    return new RunConditions(Optional.of(output), directory, true, pollsTold);
  }

  /** Where such a file of the output goes, if it does not go where Reprise's own does. */
  public Optional<Path> file(String name) {
    return output.map(to -> to.resolve(name));
  }
}
