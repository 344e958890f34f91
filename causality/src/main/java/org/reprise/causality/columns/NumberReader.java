package org.reprise.causality.columns;

/** Gives back what a {@link NumberWriter} took, in the same order. */
public interface NumberReader {
  long number();

  /** A number that must be one of an int's. */
  default int integer() {
    return Math.toIntExact(number());
  }

  /** A number that says how many things of this size follow at least. */
  int length(int bytesEach);

  int[] ints();

  char[] chars();

  long[] longs();
}
