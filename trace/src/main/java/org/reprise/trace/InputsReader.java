package org.reprise.trace;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;

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
    Wire.InputKind kind =
        Wire.constant(Wire.InputKind.class, first & 0x0f)
            .orElseThrow(() -> bytes.damaged("input kind " + (first & 0x0f) + " is unknown"));
    long operand = bytes.firstOperand(first);
    return switch (kind) {
      case END -> throw bytes.damaged("a record of kind 0 among the committed ones");
      case CLOCK -> {
        int clock = bytes.toInt(operand, "clock");
        yield new Input.Clock(clock, value(kind, clock));
      }
      case WTIME -> new Input.Wtime(Double.longBitsToDouble(eightBytes()));
      case TIME -> new Input.Time(value(kind, 0));
      case TOD -> new Input.TimeOfDay(value(kind, 0));
      case BYTES -> new Input.Bytes(Input.HexBytes.of(bytes(operand)));
      case PID -> new Input.Pid(bytes.operand());
      case CPU -> new Input.CpuTime(value(kind, 0));
      case THREAD -> {
        history.switchTo(operand);
        yield new Input.ThreadSwitch(operand);
      }
    };
  }

  private long value(Wire.InputKind kind, int clock) {
    return history.plus(kind, clock, bytes.zigzag());
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
