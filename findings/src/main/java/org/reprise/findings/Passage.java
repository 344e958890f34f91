package org.reprise.findings;

import java.util.List;
import java.util.Optional;
import org.reprise.trace.Location;

/**
 * One sentence of a finding and the place it is about, with its callers; the innermost comes first.
 *
 * @param access what the sentence is about, where that is an access in a task
 */
public record Passage(String words, List<Location> stack, Optional<TaskAccess> access) {
  public Passage {
    stack = List.copyOf(stack);
  }

  /** A sentence that is about no access. */
  public Passage(String words, List<Location> stack) {
    this(words, stack, Optional.empty());
  }
}
