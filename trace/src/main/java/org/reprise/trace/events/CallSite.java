package org.reprise.trace.events;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.reprise.trace.file.Wire;

/**
 * A place in the program that called MPI, with its callers as far as they were asked for: the
 * innermost frame first.
 */
public record CallSite(List<Frame> frames) {
  private static final int INLINE_MAX = 15;

  public CallSite {
    frames = List.copyOf(frames);
  }

  /**
   * The record of a sites file that says it, for a site whose frames are all lines: what a rank
   * that knows them itself writes.
   */
  public byte[] linesRecord() {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    int kind = Wire.SiteKind.LINES.ordinal();
    record.write(kind | Math.min(frames.size(), INLINE_MAX) << 4);
    if (frames.size() >= INLINE_MAX) {
      putNumber(record, frames.size() - INLINE_MAX);
    }
    for (Frame frame : frames) {
      if (!(frame instanceof Line(String function, String file, int line))) {
        throw new IllegalArgumentException("not a line: " + frame);
      }
      putText(record, function);
      putText(record, file);
      putNumber(record, line);
    }
    return record.toByteArray();
  }

  private static void putText(ByteArrayOutputStream record, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    putNumber(record, bytes.length);
    record.writeBytes(bytes);
  }

  private static void putNumber(ByteArrayOutputStream record, int number) {
    int rest = number;
    while ((rest & ~0x7f) != 0) {
      record.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    record.write(rest);
  }

  /** A program or library that was loaded into a rank. */
  public record Module(String path, String buildId) {}

  /** One function on the stack. */
  public sealed interface Frame {}

  /**
   * The address behind a call.
   *
   * @param module empty for code that the program generated
   * @param offset what the module's debug information calls the address
   */
  public record Address(Optional<Module> module, long offset) implements Frame {}

  /** A line that is known without debug information: a Java frame. */
  public record Line(String function, String file, int line) implements Frame {}
}
