package org.reprise.causality;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A place to stop: for each rank how far it has got, counted in moments. A rank at 2k has returned
 * from k calls and is between two; at 2k + 1 it is inside its call number k, from 0.
 */
public record Cut(int[] moments) {
  private static final Pattern TEXT = Pattern.compile("\\d{1,9}\\+?(,\\d{1,9}\\+?)*");

  public Cut {
    moments = moments.clone();
  }

  /** The cut that {@link #text} writes so; empty if the text is none of a cut. */
  public static Optional<Cut> parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Cut(
            Arrays.stream(text.split(","))
                .mapToInt(
                    place ->
                        2 * Integer.parseInt(place.replace("+", ""))
                            + (place.endsWith("+") ? 1 : 0))
                .toArray()));
  }

  /**
   * As users type and read it, {@code 5,7+,3}: for each rank from how many calls it has returned,
   * and a plus if it is inside the next one.
   */
  public String text() {
    return Arrays.stream(moments)
        .mapToObj(moment -> moment / 2 + (moment % 2 == 0 ? "" : "+"))
        .collect(Collectors.joining(","));
  }

  /** How many calls of a rank have begun. */
  public int begun(int rank) {
    return moments[rank] + 1 >> 1;
  }

  /** How many calls of a rank have returned. */
  public int returned(int rank) {
    return moments[rank] >> 1;
  }

  @Override
  public int[] moments() {
    return moments.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cut cut && Arrays.equals(moments, cut.moments);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(moments);
  }

  @Override
  public String toString() {
    return "Cut" + Arrays.toString(moments);
  }
}
