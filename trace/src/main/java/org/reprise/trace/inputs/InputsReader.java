package org.reprise.trace.inputs;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordBytes;
import org.reprise.trace.file.Wire;

/** Reads one {@code rank-<r>.inputs} file: the clocks and random sources a rank has read. */
public final class InputsReader implements Iterator<Input>, AutoCloseable {
  /** getrandom gives 32 MiB at most; much more in one piece is a damaged byte. */
  private static final int BYTES_MAX = 64 * 1024 * 1024;

  private final RecordBytes bytes;
  private final InputHistory history = new InputHistory();

  private InputsReader(RecordBytes bytes) {
    this.bytes = bytes;
  }

  public static InputsReader open(Path file) {
    return new InputsReader(RecordBytes.open(file, Wire.FileKind.INPUTS));
  }

  public RankHeader header() {
    return bytes.header();
  }

  @Override
  public boolean hasNext() {
    return !bytes.atEnd();
  }

  @Override
  public Input next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    bytes.beginRecord();
    int first = bytes.nextByte();
    int number = first & 0x0f;
    if (number >= Wire.InputKind.NEAR.ordinal()) {
      return again((number - Wire.InputKind.NEAR.ordinal()) * 16 + (first >> 4));
    }
    Wire.InputKind kind =
        Wire.constant(Wire.InputKind.class, number)
            .orElseThrow(() -> bytes.damaged("input kind " + number + " is unknown"));
    if (kind == Wire.InputKind.FAR) {
      return again(Wire.INPUT_NEAR_CODES + (first >> 4) + bytes.nextByte() * 16);
    }
    long operand = bytes.firstOperand(first);
    return switch (kind) {
      case END -> throw bytes.damaged("a record of kind 0 among the committed ones");
      case CLOCK, TIME, TOD, CPU, TICKS -> {
        InputHistory.Series series = history.read(kind, bytes.toInt(operand, "clock"));
        yield reading(series, series.plus(bytes.zigzag()));
      }
      case WTIME -> new Input.Wtime(Double.longBitsToDouble(eightBytes()));
      case BYTES -> new Input.Bytes(Input.HexBytes.of(bytes(operand)));
      case PID -> new Input.Pid(bytes.operand());
      case THREAD -> {
        history.switchTo(operand);
        yield new Input.ThreadSwitch(operand);
      }
      case FAR, NEAR -> throw new AssertionError("read above: " + kind);
    };
  }

  /** One more reading of the clock that the thread has read last. */
  private Input again(int code) {
    InputHistory.Series series = history.latest();
    if (series == null) {
      throw bytes.damaged("one more reading of a clock, and none before");
    }
    return reading(series, series.plusExpected((code >>> 1) ^ -(code & 1)));
  }

  private Input reading(InputHistory.Series series, long value) {
    return switch (series.kind) {
      case CLOCK -> new Input.Clock(series.clock, value);
      case TIME -> new Input.Time(value);
      case TOD -> new Input.TimeOfDay(value);
      case CPU -> new Input.CpuTime(value);
      case TICKS ->
          new Input.Wtime(
              Wire.constant(Wire.Ticks.class, series.clock)
                  .orElseThrow(() -> bytes.damaged("ticks of form " + series.clock))
                  .seconds(value));
      default -> throw new AssertionError("no clock: " + series.kind);
    };
  }

  private long eightBytes() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      value |= (long) bytes.nextByte() << shift;
    }
    return value;
  }

  private byte[] bytes(long length) {
    if (length > BYTES_MAX || length > bytes.remaining()) {
      throw bytes.damaged(
          length + " random bytes, but only " + bytes.remaining() + " bytes are left");
    }
    byte[] taken = new byte[(int) length];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = (byte) bytes.nextByte();
    }
    return taken;
  }

  @Override
  public void close() {
    bytes.close();
  }
}
