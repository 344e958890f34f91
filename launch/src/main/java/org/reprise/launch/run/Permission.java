package org.reprise.launch.run;

import java.util.List;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;

/**
 * Whether the command of a run may be executed. A run is data that somebody hands over, and its
 * replay is code. A replayer asks with the description that it is about to execute, so that nothing
 * can be put in its place after the answer.
 */
public interface Permission {
  /** For runs that this very process has recorded. */
  Permission OWN = (_, _) -> Origin.OWN;

  /** Whose run it is. */
  enum Origin {
    /** The user's own: it gets back the environment that it was recorded in. */
    OWN,
    /** Somebody else's, and the user agrees: it gets back settings only. */
    TRUSTED
  }

  /**
   * Whose run this is.
   *
   * @param command what is about to be executed: the recorded command, or what the user typed in
   *     its place
   * @throws UserError if it is not to be executed
   */
  Origin toExecute(RecordedRun run, List<String> command);
}
