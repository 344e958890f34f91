package org.reprise.trace;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A file of a run that cannot be read as what it claims to be: damaged, cut off, or written by
 * another version. A trace comes from anywhere, so whatever its bytes are, reading it ends in
 * outcomes or in this.
 */
public final class TraceError extends UserError {
  /** The exit code of every trace error: EX_DATAERR of sysexits.h. */
  public static final int EXIT_CODE = 65;

  public static final String RECORD_AGAIN =
      "record the program again, or take another run (reprise ls)";

  /** Files that a replay makes anew, if only the order is whole. */
  private static final Pattern LEARNED = Pattern.compile("rank-\\d+\\.(events|tail|sites)");

  public TraceError(String cause, String found, String fix) {
    super(cause, found, fix, EXIT_CODE);
  }

  /** The bytes of {@code file} from {@code offset} on do not mean anything. */
  public static TraceError damaged(Path file, long offset, String found) {
    return new TraceError(file + " is damaged at byte " + offset, found, fix(file));
  }

  /** What helps if a file of a run cannot be used. */
  public static String fix(Path file) {
    return LEARNED.matcher(String.valueOf(file.getFileName())).matches()
        ? learnAgain(file.toAbsolutePath().resolveSibling(""))
        : RECORD_AGAIN;
  }

  /** How the events of a run are made anew; the run must be named as it can be found. */
  static String learnAgain(Path run) {
    return "learn the events again, by a replay: reprise events --stack 1 " + run;
  }

  public static TraceError unreadable(Path file, Exception reason) {
    return new TraceError(
        "cannot read " + file,
        switch (reason) {
          case AccessDeniedException _ -> "permission denied";
          case NoSuchFileException _ -> "no such file";
          default -> String.valueOf(reason.getMessage());
        },
        "check that the file exists and that you may read it");
  }
}
