package org.reprise.ranks.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.events.CallSite;

/**
 * Which lines of its program a thread is at when it calls MPI: the call, and its callers as far as
 * they are asked for. Frames of MPI, Reprise and Java are passed over. Something is made of each
 * different place once, and looked up from then on.
 *
 * <p>Hot where events are written: a frame is known by its method and the place in its code, since
 * asking for a line takes longer than all else about an event.
 *
 * @param <T> what is made of a place
 */
public final class ProgramPlaces<T> {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private static final String HOST = "org.reprise.ranks.host.MainMethod";

  /** A place in the code of a method. */
  private record Spot(String type, String method, String descriptor, int place) {}

  private final int frames;
  private final Function<CallSite, T> make;
  private final Map<List<Spot>, T> known = new HashMap<>();
  private final Map<CallSite, T> made = new HashMap<>();

  /**
   * Places of one rank.
   *
   * @param frames how many frames a place has at most
   * @param make called once for each different place; of an empty one if no program is on the stack
   */
  public ProgramPlaces(int frames, Function<CallSite, T> make) {
    this.frames = frames;
    this.make = make;
  }

  /** What was made of the place that the calling thread is at. */
  public T here() {
    List<Spot> spots = WALKER.walk(this::spots);
    T place = known.get(spots);
    if (place == null) {
      place = made.computeIfAbsent(new CallSite(WALKER.walk(this::lines)), make);
      known.put(spots, place);
    }
    return place;
  }

  private List<Spot> spots(Stream<StackWalker.StackFrame> stack) {
    List<Spot> spots = new ArrayList<>(frames);
    Iterator<StackWalker.StackFrame> rest = stack.iterator();
    for (StackWalker.StackFrame frame = next(rest);
        frame != null && spots.size() < frames;
        frame = next(rest)) {
      spots.add(
          new Spot(
              frame.getClassName(),
              frame.getMethodName(),
              frame.getDescriptor(),
              frame.getByteCodeIndex()));
    }
    return spots;
  }

  private List<CallSite.Frame> lines(Stream<StackWalker.StackFrame> stack) {
    List<CallSite.Frame> lines = new ArrayList<>(frames);
    Iterator<StackWalker.StackFrame> rest = stack.iterator();
    for (StackWalker.StackFrame frame = next(rest);
        frame != null && lines.size() < frames;
        frame = next(rest)) {
      lines.add(line(frame));
    }
    return lines;
  }

  /** The next frame that is the program's; null behind its main. */
  private static StackWalker.@Nullable StackFrame next(Iterator<StackWalker.StackFrame> rest) {
    while (rest.hasNext()) {
      StackWalker.StackFrame frame = rest.next();
      String type = frame.getClassName();
      if (SourceLine.isThePrograms(type)) {
        return frame;
      }
      if (type.equals(HOST)) {
        return null;
      }
    }
    return null;
  }

  /** A class file names its source without the directory, which follows from the package. */
  private static CallSite.Line line(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    int end = type.lastIndexOf('.') + 1;
    String directory = type.substring(0, end).replace('.', '/');
    String file = frame.getFileName();
    return new CallSite.Line(
        type.substring(end) + "." + frame.getMethodName(),
        file == null ? "" : directory + file,
        Math.max(0, frame.getLineNumber()));
  }
}
