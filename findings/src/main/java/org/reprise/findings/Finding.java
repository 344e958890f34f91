package org.reprise.findings;

import java.util.List;
import org.reprise.trace.Location;

/**
 * One thing that was found, however often it happened. Its first passage is about the place in the
 * program that a reader is to look at.
 *
 * @param id eight digits that stay the same from run to run, as long as the place does
 * @param title what it is, as {@code message race} or {@code WRITE-WRITE Hits.count}
 * @param remarks further sentences without a place
 */
public record Finding(
    Rule rule, String id, String title, long count, List<Passage> passages, List<String> remarks) {
  public Finding {
    if (passages.isEmpty()) {
      throw new IllegalArgumentException("a finding is about something");
    }
    passages = List.copyOf(passages);
    remarks = List.copyOf(remarks);
  }

  /** A finding that its rule and its place identify. */
  public Finding(Rule rule, long count, List<Passage> passages, List<String> remarks) {
    this(rule, id(rule, place(passages)), rule.title(), count, passages, remarks);
  }

  /** Without directories and offsets, which differ between two builds of one source. */
  private static String id(Rule rule, Location place) {
    String key = rule.id() + " " + place.functionName().orElse("") + " " + place.where();
    return "%08x".formatted(key.hashCode());
  }

  /** The place to look at. */
  public Location place() {
    return place(passages);
  }

  private static Location place(List<Passage> passages) {
    List<Location> stack = passages.getFirst().stack();
    return stack.isEmpty() ? Location.UNKNOWN : stack.getFirst();
  }

  /** {@code message race, 12 times}. */
  public String headline() {
    return title + (count > 1 ? ", " + count + " times" : "");
  }
}
