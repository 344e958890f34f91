package org.reprise.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machine a measurement was made on, and how busy it was with other things. */
final class Machine {
  private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final Pattern WAITED = Pattern.compile("some .*total=([0-9]+)");

  private final long begunNanos = System.nanoTime();
  private final Optional<Long> waitedMicrosAtBegin = waitedMicros();

  /** Processor time that this process has used, all its threads together. */
  static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The part of the time since the beginning in which some process waited for a processor. */
  OptionalDouble waited() {
    Optional<Long> now = waitedMicros();
    if (now.isEmpty() || waitedMicrosAtBegin.isEmpty()) {
      return OptionalDouble.empty();
    }
    double micros = (System.nanoTime() - begunNanos) * 1e-3;
    return OptionalDouble.of((now.get() - waitedMicrosAtBegin.get()) / micros);
  }

  /** Processes that ran or wanted to, on average over the last minute; empty if unknown. */
  static String load() {
    return read(LOAD).map(text -> text.split(" ")[0]).orElse("");
  }

  private static Optional<Long> waitedMicros() {
    return read(PRESSURE)
        .map(WAITED::matcher)
        .filter(Matcher::find)
        .map(found -> Long.valueOf(found.group(1)));
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
