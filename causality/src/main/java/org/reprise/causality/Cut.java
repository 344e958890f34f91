package org.reprise.causality;

import java.util.Arrays;

/**
 * A place to stop: for each rank how far it has got, counted in moments. A rank at 2k has returned
 * from k calls and is between two; at 2k + 1 it is inside its call number k, from 0.
 */
public record Cut(int[] moments) {
  public Cut {
    moments = moments.clone();
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
