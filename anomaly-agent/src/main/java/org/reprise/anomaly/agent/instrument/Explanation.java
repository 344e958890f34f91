package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.reprise.anomaly.agent.instrument.parts.ArrayPart;

/** What becomes of the accesses of one method, in words: for those who ask why a check is there. */
final class Explanation {
  private final String method;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();

  Explanation(String className, String method) {
    this.method = className.replace('/', '.') + "." + method;
  }

  void add(int line, boolean isWrite, String variable, String how) {
    lines.add("  line " + line + ": " + (isWrite ? "write " : "read ") + variable + ": " + how);
    int colon = how.indexOf(':');
    counts.merge(colon < 0 ? how : how.substring(0, colon), 1, Integer::sum);
  }

  /** The method is a {@link ArrayPart}'s. */
  void checkedOnce() {
    lines.add(0, "  called with a part of its arrays, it is checked once for the whole part");
  }

  /** The method has a {@link Footprint}. */
  void checkedAtEntry(boolean isBody) {
    String once = isBody ? "for many iterations at once" : "at once";
    lines.add(0, "  entered with arrays that hold all that it accesses, it is checked " + once);
  }

  /** The method is the body of a loop and {@link Inlined} has a {@link Footprint}. */
  void checkedWithCalls() {
    lines.add(
        0,
        "  if arrays hold all that it and the methods that it calls access, it is checked for many"
            + " iterations at once");
  }

  /** A loop of the method is a {@link RowVisitLoop}. */
  void visits(String called) {
    lines.add(
        0, "  a loop declares before it begins what all of its calls of " + called + " access");
  }

  /** The method with the number of accesses of each sort, then a line for each access. */
  List<String> text() {
    if (lines.isEmpty()) {
      return List.of();
    }
    List<String> sorts = new ArrayList<>();
    counts.forEach((how, count) -> sorts.add(count + " " + how));
    List<String> text = new ArrayList<>();
    text.add(sorts.isEmpty() ? method + ":" : method + ": " + String.join(", ", sorts));
    text.addAll(lines);
    return text;
  }
}
