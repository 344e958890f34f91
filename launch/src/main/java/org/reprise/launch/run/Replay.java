package org.reprise.launch.run;

import java.util.List;
import java.util.Optional;
import org.reprise.launch.verdict.Verdict;

/**
 * What came of a replay.
 *
 * @param programStatus of the command, 128 + n after signal n
 * @param notes what is other than when it was recorded, known before the start; a sentence each
 * @param program SHA-256 of the program that was run; empty if it was not found
 */
public record Replay(
    Verdict verdict, int programStatus, List<String> notes, Optional<String> program) {
  /** The exit code of a replay that left the recorded order or got stuck. */
  public static final int NOT_THE_SAME = 67;

  public Replay {
    notes = List.copyOf(notes);
  }

  /** The program's own status if the order was the same, so that scripts see what the run did. */
  public int exitStatus() {
    return switch (verdict) {
      case Verdict.SameOrder _ -> programStatus;
      case Verdict.Interrupted _ -> programStatus;
      case Verdict.Diverged _, Verdict.Stuck _, Verdict.EndedEarly _ -> NOT_THE_SAME;
    };
  }
}
