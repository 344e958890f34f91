package org.reprise.launch.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.reprise.trace.Location;
import org.reprise.trace.events.CallSite;

/**
 * The stack of an MPI call as a person reads it, the innermost place first. Programs often call MPI
 * through a layer of their own, a function for each MPI function; all their calls of a kind have
 * one line there. The place that tells calls apart is the first one above such wrappers.
 *
 * @param through the wrappers that the call was made through, the innermost first
 * @param places the rest: the first is where the program makes the call
 */
public record CallStack(List<Location> through, List<Location> places) {
  /**
   * More than wrappers of MPI are deep, and a few callers: what a replay that learns events keeps.
   */
  public static final int FRAMES_KEPT = 8;

  private static final Pattern STARTS = Pattern.compile("__libc_start|_start\\b");

  /** What stands behind a function's name: parameters, template arguments, what compilers add. */
  private static final Pattern BEHIND_NAME = Pattern.compile("[(<+\\[. ].*|_+$");

  public CallStack {
    through = List.copyOf(through);
    places = List.copyOf(places);
  }

  /**
   * The stack of a call site, without what starts a program.
   *
   * @param call the name of the MPI function, with or without {@code MPI_}; empty outside MPI
   * @param frames so many frames are wanted, not counting those of wrappers
   */
  public static CallStack of(String call, CallSite site, int frames, SourceLines lines) {
    List<List<Location>> all = new ArrayList<>();
    for (CallSite.Frame frame : site.frames()) {
      List<Location> places = lines.places(frame);
      if (STARTS.matcher(places.getLast().function().orElse("")).lookingAt() && !all.isEmpty()) {
        break;
      }
      all.add(places);
    }
    return of(call, all, frames);
  }

  /** Where a function was inlined into its caller, one frame has the places of both. */
  static CallStack of(String call, List<List<Location>> stack, int frames) {
    List<Location> all = stack.stream().flatMap(List::stream).toList();
    int first = 0;
    while (first + 1 < all.size() && isWrapper(call, all.get(first))) {
      first++;
    }
    int end = 0;
    int left = frames;
    for (List<Location> frame : stack) {
      if (end + frame.size() > first && left-- <= 0) {
        break;
      }
      end += frame.size();
    }
    return new CallStack(all.subList(0, first), all.subList(first, end));
  }

  /**
   * In words: {@code through stub_irecv stubs.c:12}; empty for a call that the program makes
   * itself.
   */
  public String throughText() {
    return through.isEmpty() ? "" : " through " + through.getLast().text();
  }

  /**
   * Whether a function is there to call this MPI function: it is named after it. Its name ends with
   * the name of the MPI function ({@code stub_irecv}, {@code Comm::Recv}), or has it behind {@code
   * mpi} ({@code hypre_MPI_Irecv_tagged}). {@code send_results} is no wrapper of MPI_Send.
   */
  private static boolean isWrapper(String call, Location place) {
    String bare = call.replaceFirst("^P?MPI_", "").replaceFirst("_c$", "").toLowerCase(Locale.ROOT);
    String function = place.function().orElse("").replace("(anonymous namespace)::", "");
    String name = BEHIND_NAME.matcher(function).replaceFirst("").toLowerCase(Locale.ROOT);
    return !bare.isEmpty() && (name.endsWith(bare) || name.contains("mpi_" + bare + "_"));
  }
}
