package org.reprise.cli.report;

import java.util.Map;
import org.reprise.trace.inputs.Input;

/** An input as one line of text, in words that stay. */
public final class InputText {
  private static final Map<Integer, String> CLOCKS =
      Map.of(0, "realtime", 1, "monotonic", 2, "process-cpu", 3, "thread-cpu", 4, "monotonic-raw");

  public static String of(Input input) {
    return switch (input) {
      case Input.Clock(int clock, long nanos) ->
          "clock " + CLOCKS.getOrDefault(clock, String.valueOf(clock)) + " nanos=" + nanos;
      case Input.Wtime(double seconds) -> "wtime seconds=" + seconds;
      case Input.Time(long seconds) -> "time seconds=" + seconds;
      case Input.TimeOfDay(long micros) -> "time-of-day micros=" + micros;
      case Input.Bytes(Input.HexBytes(String hex)) -> "random bytes=" + hex;
      case Input.Pid(long pid) -> "pid pid=" + pid;
      case Input.CpuTime(long ticks) -> "cpu-time ticks=" + ticks;
      case Input.ThreadSwitch(long thread) -> "thread thread=" + thread;
    };
  }

  private InputText() {}
}
