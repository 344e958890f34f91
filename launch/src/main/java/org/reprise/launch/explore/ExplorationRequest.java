package org.reprise.launch.explore;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.reprise.exploration.Exploration;

/**
 * What is to be explored.
 *
 * @param command its words as the user would type them
 * @param terms options, as the user would type them, that say which orders are looked for and which
 *     outcomes are the same: a search goes on under the same terms only
 * @param program what the runs that are kept are called, with a number behind
 * @param max after so many runs it stops
 * @param time after so long it stops
 * @param bound orders with at most so many outcomes other than in the first run
 * @param pollFailures other answers of polls and choices of requests are tried, too, where the same
 *     poll has failed fewer times in a row; 0: they come as they come
 * @param seed of the first run's delays, and of which plan comes next
 * @param stopAtFirst whether it stops at the first failure
 * @param preference which plan comes next
 * @param jobs so many runs go on at once
 * @param privateDirectory a directory that each run gets a copy of to run in
 * @param keep for so many outcomes a run is kept
 */
public record ExplorationRequest(
    List<String> command,
    List<String> terms,
    String program,
    Optional<Path> mpicc,
    OptionalLong max,
    Optional<Duration> time,
    OptionalInt bound,
    int pollFailures,
    long seed,
    boolean stopAtFirst,
    Exploration.Preference preference,
    int jobs,
    Optional<Path> privateDirectory,
    Duration stallLimit,
    int keep,
    OutputJudge judge) {
  public ExplorationRequest {
    command = List.copyOf(command);
    terms = List.copyOf(terms);
  }
}
