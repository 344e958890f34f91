package org.reprise.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The MPI calls the interposer knows, by number: interposer/calls.def as Java sees it. A call's
 * number is its place in the table.
 */
public record CallTable(List<Call> calls) {
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^\\s*CALL\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*,");
  private static final String REFUSED = "REFUSED";

  public CallTable {
    calls = List.copyOf(calls);
  }

  /**
   * One call.
   *
   * @param name without MPI_
   * @param treatment the word in the table for what the interposer does with it
   */
  public record Call(String name, String treatment) {
    /** Whether its outcome depends on timing and is not recorded. */
    public boolean isRefused() {
      return treatment.startsWith(REFUSED);
    }
  }

  /** The table of the interposer in this Reprise. */
  public static CallTable ofInterposer() {
    return parse(InterposerSources.text("calls.def"));
  }

  static CallTable parse(String definitions) {
    List<Call> calls = new ArrayList<>();
    Matcher entry = ENTRY.matcher(definitions);
    while (entry.find()) {
      calls.add(new Call(entry.group(1), entry.group(2)));
    }
    return new CallTable(calls);
  }

  public List<String> names() {
    return calls.stream().map(Call::name).toList();
  }
}
