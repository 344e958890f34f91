package org.reprise.trace.inputs;

import java.nio.file.Path;
import java.util.Optional;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordSink;
import org.reprise.trace.file.Wire;

/** Writes an inputs file as the interposer does. */
public final class InputsWriter implements AutoCloseable {
  private final RecordSink sink;
  private final InputHistory history = new InputHistory();
  private Wire.Ticks form = Wire.Ticks.DIVIDED;

  /** Creates {@code file}, which must not exist; counts in {@code header} are set when closing. */
  public InputsWriter(Path file, RankHeader header) {
    if (header.file() != Wire.FileKind.INPUTS) {
      throw new IllegalArgumentException("not the header of an inputs file: " + header.file());
    }
    sink = new RecordSink(file, header);
  }

  public void write(Input input) {
    switch (input) {
      case Input.Clock(int clock, long nanos) -> value(Wire.InputKind.CLOCK, clock, nanos);
      case Input.Wtime(double seconds) -> {
        Optional<Wire.Ticks> fitting = Wire.Ticks.of(seconds, form);
        if (fitting.isPresent()) {
          form = fitting.get();
          value(Wire.InputKind.TICKS, form.ordinal(), Wire.Ticks.nanos(seconds));
          return;
        }
        sink.begin(Wire.InputKind.WTIME.ordinal(), 0);
        long bits = Double.doubleToRawLongBits(seconds);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
          sink.putByte((int) (bits >>> shift));
        }
      }
      case Input.Time(long seconds) -> value(Wire.InputKind.TIME, 0, seconds);
      case Input.TimeOfDay(long micros) -> value(Wire.InputKind.TOD, 0, micros);
      case Input.CpuTime(long ticks) -> value(Wire.InputKind.CPU, 0, ticks);
      case Input.Bytes(Input.HexBytes hex) -> {
        byte[] bytes = hex.toArray();
        sink.begin(Wire.InputKind.BYTES.ordinal(), bytes.length);
        for (byte b : bytes) {
          sink.putByte(b);
        }
      }
      case Input.Pid(long pid) -> {
        sink.begin(Wire.InputKind.PID.ordinal(), 0);
        sink.operand(pid);
      }
      case Input.ThreadSwitch(long thread) -> {
        sink.begin(Wire.InputKind.THREAD.ordinal(), thread);
        history.switchTo(thread);
      }
    }
  }

  private void value(Wire.InputKind kind, int clock, long value) {
    InputHistory.Series latest = history.latest();
    InputHistory.Series series = history.read(kind, clock);
    long difference = series.differenceTo(value);
    long unexpected = series.unexpected(difference);
    long code = unexpected << 1 ^ unexpected >> 63;
    int beyond = Wire.INPUT_NEAR_CODES + Wire.INPUT_FAR_CODES;
    if (series != latest || code < 0 || code >= beyond) {
      sink.begin(kind.ordinal(), clock);
      sink.zigzag(difference);
    } else if (code < Wire.INPUT_NEAR_CODES) {
      sink.beginFixed();
      sink.putByte((int) (Wire.InputKind.NEAR.ordinal() + code / 16 | code % 16 << 4));
    } else {
      long rest = code - Wire.INPUT_NEAR_CODES;
      sink.beginFixed();
      sink.putByte((int) (Wire.InputKind.FAR.ordinal() | rest % 16 << 4));
      sink.putByte((int) (rest / 16));
    }
    series.plus(difference);
  }

  @Override
  public void close() {
    sink.close();
  }
}
