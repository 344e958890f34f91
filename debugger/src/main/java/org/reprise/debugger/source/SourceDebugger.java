package org.reprise.debugger.source;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Looks into one rank and moves it by lines: gdb for the process of a rank, the Java debug
 * interface for its thread. What it cannot do is a {@link SourceError}.
 */
public interface SourceDebugger extends AutoCloseable {
  /**
   * Why a rank stands, if there is a reason that a user wants to hear.
   *
   * @param breakpoint the number that {@link #insert} gave, where one was met
   * @param words in any other case: a signal, an exception, its end
   */
  record Stopped(Optional<String> breakpoint, String words) {}

  /**
   * A change of a value that is watched.
   *
   * @param value the new one
   * @param place the line that changed it
   */
  record Change(String value, String place) {}

  /** Whether the rank stands. */
  boolean isStopped();

  /** Whether the debugger itself has ended. */
  boolean isGone();

  /** Why the rank stands. */
  Optional<Stopped> stopped();

  /** Stops the rank, if it runs. */
  void halt();

  /** Lets the rank go on, if it stands. */
  void resume();

  /**
   * Begins a move; how it ends is heard later.
   *
   * @param command {@code step}, {@code next}, {@code finish}, {@code until [PLACE]} or {@code
   *     continue}
   */
  void move(String command);

  /** Begins to leave the MPI call that the rank is in, if it is, to the line that made it. */
  void leaveCall();

  /** The frames of the program, innermost first; those of Reprise and of MPI are left out. */
  List<SourceFrame> frames();

  /** The value of an expression in a frame; it can change nothing. */
  String evaluate(String expression, int level);

  /** The same of a whole number. */
  default long whole(String expression, int level) {
    String text = evaluate("(long)(" + expression + ")", level);
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new SourceError("'" + text + "' is not the number of an element");
    }
  }

  /** All elements of an array from one on and before another: {@code {1, 2.5, 3}}. */
  String elements(String array, long from, long to, int level);

  /**
   * The level of the frame in which an expression is read that was asked for elsewhere; empty if it
   * cannot be read here.
   *
   * @param function of that frame
   * @param depth of that frame, from the outermost
   */
  default OptionalInt level(String expression, String function, int depth) {
    List<SourceFrame> frames = frames();
    int at = frames.size() - 1 - depth;
    return at >= 0 && frames.get(at).function().equals(function)
        ? OptionalInt.of(frames.get(at).level())
        : OptionalInt.empty();
  }

  /** Whether what is watched is what the expression is in a frame. */
  default boolean isWatched(String number, String expression, int level) {
    return true;
  }

  /** Whether an expression is the same variable in two frames. */
  boolean isSame(String expression, int one, int other);

  /** Gives a variable another value. */
  void assign(String assignment, int level);

  /** Puts a breakpoint there, and says by which number it is known. */
  String insert(String place, Optional<String> condition);

  /** The same of one that is removed when it was met. */
  String insertOnce(String place, Optional<String> condition);

  /** Whether a breakpoint, or a variable that is watched, is still there. */
  boolean hasBreakpoint(String number);

  void removeBreakpoint(String number);

  /** Stops the rank whenever a value changes; returns the number of the watchpoint. */
  String watch(String expression, int level);

  /** The change of a value, if that is why the rank stands. */
  Optional<Change> changed(String number);

  /** Leaves the rank, which goes on as if nobody had been there. */
  void leave();

  /** Ends it at once; the rank is ended next. */
  @Override
  void close();
}
