package org.reprise.anomaly.agent;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of a program that is only run to be checked: nothing is formatted or written
 * (Hood, Kennedy and Mellor-Crummey 1990, 3.3). What is printed does not come back to the program,
 * so it cannot change which variables are accessed; that blocks print is still reported, where they
 * call. A program that sets another stream prints to that one.
 */
final class SilentOutput extends PrintStream {
  SilentOutput() {
    super(OutputStream.nullOutputStream());
  }

  @Override
  public void write(int b) {}

  @Override
  public void write(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
  }

  @Override
  public void print(boolean value) {}

  @Override
  public void print(char value) {}

  @Override
  public void print(int value) {}

  @Override
  public void print(long value) {}

  @Override
  public void print(float value) {}

  @Override
  public void print(double value) {}

  @Override
  public void print(char[] value) {
    Objects.requireNonNull(value);
  }

  @Override
  public void print(@Nullable String value) {}

  @Override
  public void println() {}

  @Override
  public void println(boolean value) {}

  @Override
  public void println(char value) {}

  @Override
  public void println(int value) {}

  @Override
  public void println(long value) {}

  @Override
  public void println(float value) {}

  @Override
  public void println(double value) {}

  @Override
  public void println(char[] value) {
    Objects.requireNonNull(value);
  }

  @Override
  public void println(@Nullable String value) {}
}
