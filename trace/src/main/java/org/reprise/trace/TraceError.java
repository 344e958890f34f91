package org.reprise.trace;

import java.nio.file.Path;

/**
 * A file of a run that cannot be read as what it claims to be: damaged, cut off, or written by
 * another version. A trace comes from anywhere, so whatever its bytes are, reading it ends in
 * outcomes or in this.
 */
public final class TraceError extends UserError {
  /** The exit code of every trace error: EX_DATAERR of sysexits.h. */
  public static final int EXIT_CODE = 65;

  static final String RECORD_AGAIN = "record the program again, or take another run (reprise ls)";

  public TraceError(String cause, String found, String fix) {
    super(cause, found, fix, EXIT_CODE);
  }

  /** The bytes of {@code file} from {@code offset} on do not mean anything. */
  static TraceError damaged(Path file, long offset, String found) {
    return new TraceError(file + " is damaged at byte " + offset, found, RECORD_AGAIN);
  }

  static TraceError unreadable(Path file, Exception reason) {
    return new TraceError(
        "cannot read " + file,
        String.valueOf(reason.getMessage()),
        "check that the file exists and that you may read it");
  }
}
