package org.reprise.findings;

import java.util.List;

/**
 * One thing that was found, however often it happened. Its first passage is about the place in the
 * program that a reader is to look at.
 *
 * @param remarks further sentences without a place
 */
public record Finding(Rule rule, long count, List<Passage> passages, List<String> remarks) {
  public Finding {
    if (passages.isEmpty()) {
      throw new IllegalArgumentException("a finding is about something");
    }
    passages = List.copyOf(passages);
    remarks = List.copyOf(remarks);
  }

  /** The place to look at. */
  public Location place() {
    List<Location> stack = passages.getFirst().stack();
    return stack.isEmpty() ? Location.UNKNOWN : stack.getFirst();
  }

  /** {@code message race, 12 times}. */
  public String headline() {
    return rule.name() + (count > 1 ? ", " + count + " times" : "");
  }
}
