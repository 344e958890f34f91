package org.reprise.debugger.source;

/**
 * A frame on the stack of a rank.
 *
 * @param level by which its debugger knows it: 0 is the innermost of all
 * @param address of its code, 0 if it has none
 * @param file the source file as a path, empty if it is not known
 * @param line zero if it is not known
 */
public record SourceFrame(int level, long address, String function, String file, int line) {
  /** {@code solve solver.c:212}, or the function alone. */
  public String text() {
    String name = file.substring(file.lastIndexOf('/') + 1);
    String where = line > 0 ? " " + name + ":" + line : "";
    return (function.isEmpty() ? "0x" + Long.toHexString(address) : function) + where;
  }
}
