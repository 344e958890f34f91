package org.reprise.causality.columns;

/** Takes numbers one behind the other; a {@link NumberReader} gives them back. */
public interface NumberWriter {
  void number(long value);

  void ints(int[] values);

  void chars(char[] values);

  void longs(long[] values);
}
