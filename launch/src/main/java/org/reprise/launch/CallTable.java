package org.reprise.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.trace.RecordedRun;

/**
 * The MPI calls the interposer knows, by number: interposer/calls.def as Java sees it. A call's
 * number is its place in the table.
 */
public record CallTable(List<Call> calls) {
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^\\s*CALL\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*,");
  private static final String REFUSED = "REFUSED";
  private static final String PASSED = "PASSED";

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

    /** Whether it goes to the library unseen: what it orders is not known. */
    public boolean isPassed() {
      return treatment.startsWith(PASSED);
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

  /**
   * Those of some calls that a run made, with MPI_ before their names. The run says what its
   * numbers mean; how calls are treated is this Reprise's own knowledge, so there are none if its
   * numbers are others.
   */
  public List<String> made(RecordedRun run, Predicate<Call> wanted) {
    List<String> made = new ArrayList<>();
    List<String> recorded = run.description().callNames();
    int known = Math.min(recorded.size(), calls.size());
    if (!names().subList(0, known).equals(recorded)) {
      return made;
    }
    for (int id = 0; id < known; id++) {
      int number = id;
      if (wanted.test(calls.get(id))
          && run.headers().values().stream().anyMatch(header -> header.callCount(number) > 0)) {
        made.add("MPI_" + calls.get(id).name());
      }
    }
    return made;
  }

  public List<String> names() {
    return calls.stream().map(Call::name).toList();
  }
}
