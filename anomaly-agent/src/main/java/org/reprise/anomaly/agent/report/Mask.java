package org.reprise.anomaly.agent.report;

import java.util.List;

/**
 * Nondeterminism that the user declared intended: a class ({@code com.acme.Cache}, or a package
 * with {@code com.acme.*}), a field or method ({@code com.acme.Cache.hits}), or a finding by its
 * id. What is masked is counted, never forgotten.
 *
 * @param entries one a line of the mask file, without comments
 */
public record Mask(List<String> entries) {
  public static final Mask NONE = new Mask(List.of());

  /** Reads a mask file's lines: one entry each; {@code #} begins a comment. */
  public static Mask parse(List<String> lines) {
    return new Mask(
        lines.stream()
            .map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .toList());
  }

  public Mask and(List<String> more) {
    List<String> all = new java.util.ArrayList<>(entries);
    all.addAll(more);
    return new Mask(all);
  }

  public boolean hides(Finding finding) {
    return entries.stream()
        .anyMatch(
            entry ->
                entry.equals(finding.id())
                    || names(entry, finding.field())
                    || names(entry, finding.source().site().className())
                    || names(entry, finding.sink().site().className())
                    || names(entry, member(finding.source()))
                    || names(entry, member(finding.sink())));
  }

  private static String member(Finding.End end) {
    return end.site().className() + "." + end.site().method();
  }

  private static boolean names(String entry, String name) {
    return entry.endsWith(".*")
        ? name.startsWith(entry.substring(0, entry.length() - 1))
        : name.equals(entry);
  }
}
