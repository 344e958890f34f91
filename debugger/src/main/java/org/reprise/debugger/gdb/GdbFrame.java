package org.reprise.debugger.gdb;

import java.util.Map;

/**
 * A frame on the stack of a rank.
 *
 * @param level by which gdb knows it: 0 is the innermost of all
 * @param file the source file as a path, empty if it is not known
 * @param line zero if it is not known
 */
public record GdbFrame(int level, long address, String function, String file, int line) {
  static GdbFrame of(Map<String, Object> frame) {
    String full = text(frame, "fullname");
    return new GdbFrame(
        number(text(frame, "level")),
        address(text(frame, "addr")),
        text(frame, "func"),
        full.isEmpty() ? text(frame, "file") : full,
        number(text(frame, "line")));
  }

  private static String text(Map<String, Object> frame, String name) {
    return frame.get(name) instanceof String text ? text : "";
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static long address(String text) {
    try {
      return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** {@code solve solver.c:212}, or the function alone. */
  public String text() {
    String name = file.substring(file.lastIndexOf('/') + 1);
    String where = line > 0 ? " " + name + ":" + line : "";
    return (function.isEmpty() ? "0x" + Long.toHexString(address) : function) + where;
  }
}
