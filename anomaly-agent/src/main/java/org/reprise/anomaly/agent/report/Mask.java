package org.reprise.anomaly.agent.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nondeterminism that the user declared intended: {@code rule:pattern}, as suppressions of message
 * races are written; or a class ({@code com.acme.Cache}, or a package with {@code com.acme.*}), a
 * field or method ({@code com.acme.Cache.hits}), or a finding by its id. What is masked is counted,
 * never forgotten.
 */
public record Mask(List<Entry> entries) {
  public static final Mask NONE = new Mask(List.of());

  /**
   * One line of a mask file, without its comment, or what the program itself declares.
   *
   * @param place such as "masks.txt:3"; empty if the program declares it
   */
  public record Entry(String name, String place) {
    /** What the user is told if the entry hides nothing. */
    public String complaint() {
      return "the mask '" + name + "' (" + place + ") matched nothing";
    }

    private boolean hides(Finding finding) {
      int colon = name.indexOf(':');
      return colon < 0
          ? isNamed(finding)
          : matches(name.substring(0, colon), finding.type().id())
              && named(finding).anyMatch(what -> matches(name.substring(colon + 1), what));
    }

    /** What a pattern is compared with. */
    private static Stream<String> named(Finding finding) {
      return Stream.concat(
          Stream.of(
              finding.id(),
              finding.field(),
              finding.variable(),
              finding.variable().replace("[*]", "")),
          Stream.of(finding.source(), finding.sink())
              .flatMap(
                  end ->
                      Stream.of(
                          end.site().className(),
                          member(end),
                          end.site().file(),
                          end.site().place())));
    }

    /** Whether the text is as the pattern says, in which {@code *} stands for anything. */
    private static boolean matches(String pattern, String text) {
      return Pattern.matches(
          Stream.of(pattern.strip().split("\\*", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining(".*")),
          text);
    }

    private boolean isNamed(Finding finding) {
      return name.equals(finding.id())
          || names(finding.field())
          || names(finding.source().site().className())
          || names(finding.sink().site().className())
          || names(member(finding.source()))
          || names(member(finding.sink()));
    }

    private static String member(Finding.End end) {
      return end.site().className() + "." + end.site().method();
    }

    private boolean names(String what) {
      return name.endsWith(".*")
          ? what.startsWith(name.substring(0, name.length() - 1))
          : what.equals(name);
    }
  }

  /** Reads a mask file's lines: one entry each; {@code #} begins a comment. */
  public static Mask parse(String file, List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String name = lines.get(i).replaceFirst("#.*", "").strip();
      if (!name.isEmpty()) {
        entries.add(new Entry(name, file + ":" + (i + 1)));
      }
    }
    return new Mask(List.copyOf(entries));
  }

  /** With what the program declares. */
  public Mask and(List<String> names) {
    List<Entry> all = new ArrayList<>(entries);
    names.forEach(name -> all.add(new Entry(name, "")));
    return new Mask(all);
  }

  public boolean hides(Finding finding) {
    return entries.stream().anyMatch(entry -> entry.hides(finding));
  }

  /** Lines of the mask file that hide none of these: a name that is misspelt, or out of date. */
  public List<Entry> unmatched(Collection<Finding> findings) {
    return entries.stream()
        .filter(entry -> !entry.place().isEmpty() && findings.stream().noneMatch(entry::hides))
        .toList();
  }
}
