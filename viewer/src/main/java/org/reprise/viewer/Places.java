package org.reprise.viewer;

import java.util.List;
import org.reprise.trace.Location;

/** Where calls of a run are in the source of the program. */
public interface Places {
  /** For runs whose call sites are unknown. */
  Places NONE = (_, _, _) -> List.of();

  /**
   * The stack of a call, the innermost place first; empty if it is unknown.
   *
   * @param site the number of the call site on its rank
   * @param call the number of the MPI call
   */
  List<Location> stack(int rank, int site, int call);
}
