package org.reprise.debugger.gdb;

/** What gdb says when it cannot do something: mostly that an expression makes no sense there. */
public final class GdbError extends RuntimeException {
  public GdbError(String message) {
    super(message);
  }
}
