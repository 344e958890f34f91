package org.reprise.trace;

/**
 * Something the user can put right: what is wrong, the value that was found, and how to fix it. It
 * is shown as these three lines, without a stack trace. Whatever is thrown otherwise is a bug in
 * Reprise and is shown as one.
 */
public sealed class UserError extends RuntimeException permits TraceError {
  private final String cause;
  private final String found;
  private final String fix;
  private final int exitCode;

  public UserError(String cause, String found, String fix) {
    this(cause, found, fix, 1);
  }

  public UserError(String cause, String found, String fix, int exitCode) {
    super(cause + " (found: " + found + "; fix: " + fix + ")");
    if (exitCode <= 0 || exitCode > 255) {
      throw new IllegalArgumentException("not an exit code of a failure: " + exitCode);
    }
    this.cause = cause;
    this.found = found;
    this.fix = fix;
    this.exitCode = exitCode;
  }

  /** What is wrong, in one sentence. */
  public String cause() {
    return cause;
  }

  /** The value found where another was expected; empty if there is nothing to show. */
  public String found() {
    return found;
  }

  /** What to do about it: a command where there is one. */
  public String fix() {
    return fix;
  }

  /** What the process exits with, so that a script can tell this error from another. */
  public int exitCode() {
    return exitCode;
  }
}
