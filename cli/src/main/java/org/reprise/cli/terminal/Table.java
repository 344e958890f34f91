package org.reprise.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Rows in aligned columns, two blanks apart; numbers to the right, no blanks at a line's end. */
public final class Table {
  /** To which side a column's texts are pushed. */
  enum Side {
    LEFT,
    RIGHT
  }

  private static final String GAP = "  ";

  private final List<Side> sides = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** The first row holds the titles of columns; one that begins with '&gt;' is pushed right. */
  public Table(List<String> titles) {
    List<String> heads = new ArrayList<>();
    for (String title : titles) {
      boolean right = title.startsWith(">");
      sides.add(right ? Side.RIGHT : Side.LEFT);
      heads.add(right ? title.substring(1) : title);
    }
    rows.add(heads);
  }

  public void add(List<String> row) {
    if (row.size() != sides.size()) {
      throw new IllegalArgumentException(row.size() + " texts for " + sides.size() + " columns");
    }
    rows.add(List.copyOf(row));
  }

  /** The lines, each cut to so many columns if a number is given. */
  public List<String> lines(OptionalInt columns) {
    int[] widths = new int[sides.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> cut(line(row, widths), columns)).toList();
  }

  public List<String> lines() {
    return lines(OptionalInt.empty());
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String text = row.get(i);
      String blanks = " ".repeat(widths[i] - text.length());
      line.append(i == 0 ? "" : GAP);
      line.append(sides.get(i) == Side.RIGHT ? blanks + text : text + blanks);
    }
    return line.toString().stripTrailing();
  }

  private static String cut(String line, OptionalInt columns) {
    if (columns.isEmpty() || line.length() <= columns.getAsInt()) {
      return line;
    }
    return line.substring(0, Math.max(0, columns.getAsInt() - 1)) + "…";
  }
}
