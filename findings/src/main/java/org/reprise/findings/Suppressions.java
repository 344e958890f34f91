package org.reprise.findings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.reprise.anomaly.report.Mask;
import org.reprise.trace.UserError;

/**
 * Findings that are intended, named in a file as for the sanitizers: a {@link Suppression} a line;
 * {@code #} begins a comment.
 */
public record Suppressions(List<Suppression> all) {
  public static final Suppressions NONE = new Suppressions(List.of());

  public Suppressions {
    all = List.copyOf(all);
  }

  /**
   * Reads a file.
   *
   * @param rules what is looked for: lines for other rules are left out
   */
  public static Suppressions read(Path file, Collection<Rule> rules) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new UserError(
          "the suppressions cannot be read",
          String.valueOf(e.getMessage()),
          "check the file's name");
    }
    List<Suppression> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = Mask.withoutComment(lines.get(i));
      if (!line.isEmpty()) {
        Suppression suppression = Suppression.of(file, i + 1, line);
        if (Suppression.isFor(rules, line)) {
          all.add(suppression);
        }
      }
    }
    return new Suppressions(all);
  }

  /** Whether the user does not want to see this. */
  public boolean cover(Finding finding) {
    return all.stream().anyMatch(one -> one.covers(finding));
  }

  /** A sentence for each line that hides none of these: misspelt, or out of date. */
  public List<String> unmatched(Collection<Finding> findings) {
    return all.stream()
        .filter(one -> findings.stream().noneMatch(one::covers))
        .map(one -> "the suppression '%s' (%s) matched nothing".formatted(one.text(), one.place()))
        .toList();
  }
}
