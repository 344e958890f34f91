package org.reprise.findings;

import java.util.List;
import org.reprise.trace.Location;

/**
 * One sentence of a finding and the place it is about, with its callers; the innermost comes first.
 */
public record Passage(String words, List<Location> stack) {
  public Passage {
    stack = List.copyOf(stack);
  }
}
