package org.reprise.launch.interposer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.trace.run.RecordedRun;

/**
 * The MPI calls the interposer knows, by number: interposer/calls.def as Java sees it. A call's
 * number is its place in the table.
 */
public record CallTable(List<Call> calls, Map<String, Call> byName) {
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^\\s*CALL\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*,\\s*([\\w| ]+),");
  private static final String NO_ROLE = "NO_ROLE";
  private static final String PREFIX = "MPI_";
  private static final String REFUSED = "REFUSED";
  private static final String PASSED = "PASSED";

  public CallTable {
    calls = List.copyOf(calls);
  }

  /** What a call does, as the table explains. */
  public enum Role {
    SENDS,
    RECEIVES,
    PROBES,
    POSTS,
    STARTS,
    COMPLETES,
    SEVERAL,
    POLLS,
    COLLECTIVE
  }

  /**
   * One call.
   *
   * @param name without MPI_
   * @param treatment the word in the table for what the interposer does with it
   */
  public record Call(String name, String treatment, Set<Role> roles) {
    public Call {
      roles = Set.copyOf(roles);
    }

    /** Whether its outcome depends on timing and is not recorded. */
    public boolean isRefused() {
      return treatment.startsWith(REFUSED);
    }

    /**
     * Whether a rank that is restored from a checkpoint can make it: there the library's transports
     * are out of reach.
     */
    public boolean isServedWhenRestored() {
      boolean isAside =
          name.startsWith("File_") || name.startsWith("Win_") || name.equals("Parrived");
      return !isRefused()
          && !isPassed()
          && !isAside
          && !treatment.equals("DETERMINISTIC_4")
          && !treatment.startsWith("CREATES_LATER");
    }

    /** Whether it goes to the library unseen: what it orders is not known. */
    public boolean isPassed() {
      return treatment.startsWith(PASSED);
    }
  }

  /** The table of the interposer in this Reprise. */
  public static CallTable ofInterposer() {
    return OfInterposer.TABLE;
  }

  /** Read when it is first asked for. */
  private static final class OfInterposer {
    static final CallTable TABLE = parse(InterposerSources.text("calls.def"));
  }

  static CallTable parse(String definitions) {
    List<Call> calls = new ArrayList<>();
    Matcher entry = ENTRY.matcher(definitions);
    while (entry.find()) {
      calls.add(new Call(entry.group(1), entry.group(2), roles(entry.group(3))));
    }
    Map<String, Call> byName = new HashMap<>();
    calls.forEach(call -> byName.put(call.name(), call));
    return new CallTable(calls, byName);
  }

  private static Set<Role> roles(String words) {
    return Stream.of(words.split("\\|"))
        .map(String::strip)
        .filter(word -> !word.equals(NO_ROLE))
        .map(Role::valueOf)
        .collect(Collectors.toSet());
  }

  /**
   * Whether a call does something.
   *
   * @param name with or without MPI_; one that is not in the table does nothing of which we know
   */
  public boolean has(String name, Role role) {
    String bare = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    return calls.stream().anyMatch(call -> call.name().equals(bare) && call.roles().contains(role));
  }

  /** The names of the calls that do something, without MPI_. */
  public Set<String> named(Role role) {
    return calls.stream()
        .filter(call -> call.roles().contains(role))
        .map(Call::name)
        .collect(Collectors.toSet());
  }

  /**
   * Those of some calls that a run made, with MPI_ before their names. The run says what its
   * numbers mean; how a call of that name is treated is this Reprise's own knowledge. One that it
   * does not know counts as not recorded.
   */
  public List<String> made(RecordedRun run, Predicate<Call> wanted) {
    List<String> made = new ArrayList<>();
    List<String> recorded = run.description().callNames();
    for (int id = 0; id < recorded.size(); id++) {
      int number = id;
      String name = recorded.get(id);
      if (wanted.test(byName.getOrDefault(name, new Call(name, REFUSED, Set.of())))
          && run.headers().values().stream().anyMatch(header -> header.callCount(number) > 0)) {
        made.add(PREFIX + name);
      }
    }
    return made;
  }

  public List<String> names() {
    return calls.stream().map(Call::name).toList();
  }
}
