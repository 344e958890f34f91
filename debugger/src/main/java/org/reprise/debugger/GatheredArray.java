package org.reprise.debugger;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * A distributed array, put together from what each rank says is its part: as numbers, and as a
 * picture in which borders between ranks are seen.
 */
final class GatheredArray {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int SHOWN_MAX = 12;
  private static final int PICTURE_COLUMNS = 72;

  private final SortedMap<Integer, String> texts;

  /** By rank, as debuggers print an array: {@code {1, 2.5, 3}}; or what is wrong with it. */
  GatheredArray(SortedMap<Integer, String> texts) {
    this.texts = texts;
  }

  Answer answer() {
    Answer answer = new Answer();
    List<Object> parts = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    List<Integer> borders = new ArrayList<>();
    texts.forEach(
        (rank, text) -> {
          List<String> elements = elements(text);
          answer.line(
              "rank %d: %s".formatted(rank, isArray(text) ? line(all.size(), elements) : text));
          borders.add(all.size());
          elements.forEach(element -> all.add(number(element)));
          parts.add(Answer.object("rank", rank, "elements", elements));
        });
    if (all.stream().anyMatch(value -> !Double.isNaN(value))) {
      answer.line(picture(all, borders));
    }
    return answer.value("parts", parts);
  }

  /** What is none says what went wrong. */
  private static boolean isArray(String text) {
    return text.isBlank() || text.startsWith("{");
  }

  private static List<String> elements(String text) {
    String bare = text.strip();
    if (!bare.startsWith("{") || !bare.endsWith("}")) {
      return List.of();
    }
    List<String> elements = new ArrayList<>();
    int depth = 0;
    int begin = 1;
    for (int i = 1; i < bare.length(); i++) {
      char c = bare.charAt(i);
      depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
      if (c == ',' && depth == 0 || depth < 0) {
        elements.add(bare.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    return elements;
  }

  private static double number(String element) {
    try {
      return Double.parseDouble(element);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static String line(int first, List<String> elements) {
    if (elements.isEmpty()) {
      return "no elements";
    }
    String shown =
        elements.size() <= SHOWN_MAX
            ? String.join(" ", elements)
            : String.join(" ", elements.subList(0, SHOWN_MAX / 2))
                + " ... "
                + String.join(
                    " ", elements.subList(elements.size() - SHOWN_MAX / 2, elements.size()));
    return "[%d..%d] %s".formatted(first, first + elements.size() - 1, shown);
  }

  /** A column for an element, or for as many as must share one; a bar between ranks. */
  private static String picture(List<Double> all, List<Integer> borders) {
    double low = all.stream().filter(v -> !v.isNaN()).mapToDouble(v -> v).min().orElse(0);
    double high = all.stream().filter(v -> !v.isNaN()).mapToDouble(v -> v).max().orElse(0);
    int each = Math.max(1, (all.size() + PICTURE_COLUMNS - 1) / PICTURE_COLUMNS);
    StringBuilder picture = new StringBuilder();
    int border = 0;
    for (int i = 0; i < all.size(); i += each) {
      while (border < borders.size() && borders.get(border) <= i) {
        if (i > 0 && picture.charAt(picture.length() - 1) != '|') {
          picture.append('|');
        }
        border++;
      }
      double value = all.get(i);
      double share = high > low ? (value - low) / (high - low) : 0;
      picture.append(Double.isNaN(value) ? '?' : BARS.charAt((int) Math.min(7, share * 8)));
    }
    return picture + "  from " + low + " to " + high;
  }
}
