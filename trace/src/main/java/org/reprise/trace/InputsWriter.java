package org.reprise.trace;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Writes an inputs file as the interposer does. */
public final class InputsWriter implements AutoCloseable {
  private final RecordSink sink;
  private final Map<Integer, Long> lastNanos = new HashMap<>();
  private long lastSeconds;
  private long lastMicros;
  private long lastTicks;

  /** Creates {@code file}, which must not exist; counts in {@code header} are set when closing. */
  public InputsWriter(Path file, RankHeader header) {
    if (header.file() != Wire.FileKind.INPUTS) {
      throw new IllegalArgumentException("not the header of an inputs file: " + header.file());
    }
    sink = new RecordSink(file, header);
  }

  public void write(Input input) {
    switch (input) {
      case Input.Clock(int clock, long nanos) -> {
        sink.begin(Wire.InputKind.CLOCK.ordinal(), clock);
        sink.zigzag(nanos - lastNanos.getOrDefault(clock, 0L));
        lastNanos.put(clock, nanos);
      }
      case Input.Wtime(double seconds) -> {
        sink.begin(Wire.InputKind.WTIME.ordinal(), 0);
        long bits = Double.doubleToRawLongBits(seconds);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
          sink.putByte((int) (bits >>> shift));
        }
      }
      case Input.Time(long seconds) -> {
        sink.begin(Wire.InputKind.TIME.ordinal(), 0);
        sink.zigzag(seconds - lastSeconds);
        lastSeconds = seconds;
      }
      case Input.TimeOfDay(long micros) -> {
        sink.begin(Wire.InputKind.TOD.ordinal(), 0);
        sink.zigzag(micros - lastMicros);
        lastMicros = micros;
      }
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
      case Input.CpuTime(long ticks) -> {
        sink.begin(Wire.InputKind.CPU.ordinal(), 0);
        sink.zigzag(ticks - lastTicks);
        lastTicks = ticks;
      }
      case Input.ThreadSwitch(long thread) -> sink.begin(Wire.InputKind.THREAD.ordinal(), thread);
    }
  }

  @Override
  public void close() {
    sink.close();
  }
}
