package org.reprise.trace.inputs;

import java.util.HexFormat;

/**
 * One value a program read from a clock, a random source or the like: the unit of an inputs file.
 * Times are given as the program saw them, not as the differences in the file.
 */
public sealed interface Input {
  /** clock_gettime of this clock, in nanoseconds. */
  record Clock(int clock, long nanos) implements Input {}

  /** MPI_Wtime. */
  record Wtime(double seconds) implements Input {}

  /** time(). */
  record Time(long seconds) implements Input {}

  /** gettimeofday. */
  record TimeOfDay(long micros) implements Input {}

  /** Random bytes. */
  record Bytes(HexBytes bytes) implements Input {}

  /** getpid. */
  record Pid(long pid) implements Input {}

  /** clock(). */
  record CpuTime(long ticks) implements Input {}

  /** The inputs that follow belong to this thread. */
  record ThreadSwitch(long thread) implements Input {}

  /** Bytes that compare and print by value, as arrays do not. */
  record HexBytes(String hex) {
    public static HexBytes of(byte[] bytes) {
      return new HexBytes(HexFormat.of().formatHex(bytes));
    }

    byte[] toArray() {
      return HexFormat.of().parseHex(hex);
    }
  }
}
