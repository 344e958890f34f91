package org.reprise.anomaly.report;

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

    private boolean isForConflicts() {
      int colon = name.indexOf(':');
      Pattern rule = pattern(colon < 0 ? "*" : name.substring(0, colon));
      return Stream.of(Conflict.Type.values()).anyMatch(type -> rule.matcher(type.id()).matches());
    }

    private boolean hides(Conflict conflict) {
      int colon = name.indexOf(':');
      return colon < 0
          ? isNamed(conflict)
          : pattern(name.substring(0, colon)).matcher(conflict.type().id()).matches()
              && named(conflict).anyMatch(pattern(name.substring(colon + 1)).asMatchPredicate());
    }

    /** What a pattern is compared with. */
    private static Stream<String> named(Conflict conflict) {
      return Stream.concat(
          Stream.of(
              conflict.id(),
              conflict.field(),
              conflict.variable(),
              conflict.variable().replace("[*]", "")),
          Stream.of(conflict.source(), conflict.sink())
              .flatMap(end -> Stream.of(end.className(), end.member(), end.file(), end.place())));
    }

    private boolean isNamed(Conflict conflict) {
      return name.equals(conflict.id())
          || names(conflict.field())
          || names(conflict.source().className())
          || names(conflict.sink().className())
          || names(conflict.source().member())
          || names(conflict.sink().member());
    }

    private boolean names(String what) {
      return name.endsWith(".*")
          ? what.startsWith(name.substring(0, name.length() - 1))
          : what.equals(name);
    }
  }

  /** What a line of such a file says; empty if it is only a comment. */
  public static String withoutComment(String line) {
    return line.replaceFirst("#.*", "").strip();
  }

  /** A text in which {@code *} stands for anything. */
  public static Pattern pattern(String text) {
    return Pattern.compile(
        Stream.of(text.strip().split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")));
  }

  /** Reads a mask file's lines: one entry each; {@code #} begins a comment. */
  public static Mask parse(String file, List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String name = withoutComment(lines.get(i));
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

  public boolean hides(Conflict conflict) {
    return entries.stream().anyMatch(entry -> entry.hides(conflict));
  }

  /**
   * Lines of the mask file that hide none of these: a name that is misspelt, or out of date. Lines
   * that are there for message races are not among them.
   */
  public List<Entry> unmatched(Collection<Conflict> conflicts) {
    return entries.stream()
        .filter(entry -> !entry.place().isEmpty() && entry.isForConflicts())
        .filter(entry -> conflicts.stream().noneMatch(entry::hides))
        .toList();
  }
}
