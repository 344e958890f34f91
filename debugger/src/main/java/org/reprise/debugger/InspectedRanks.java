package org.reprise.debugger;

import java.util.Optional;
import org.reprise.debugger.source.SourceDebuggers;

/** Ranks that can be looked into: of a replay, or of a job that is being recorded. */
interface InspectedRanks {
  /** Refuses questions to ranks that do not stand. */
  void requireStarted();

  /** The process of a rank; empty if it has ended. */
  Optional<Long> process(int rank);

  /** Before questions are asked: whoever was frozen can answer. */
  void thaw();

  SourceDebuggers sources();

  /** The ranks that are asked. */
  RankSet focus();
}
