package org.reprise.bench;

import java.util.Arrays;
import java.util.List;

/** Where repeated measurements lie: the middle, the quartiles around it, and the least. */
record Spread(double median, double lower, double upper, double least, int count) {
  static Spread of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    return new Spread(
        quantile(sorted, 0.5),
        quantile(sorted, 0.25),
        quantile(sorted, 0.75),
        Arrays.stream(sorted).min().orElseThrow(),
        sorted.length);
  }

  /** Between two measurements in proportion to their distance. */
  private static double quantile(double[] sorted, double part) {
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
