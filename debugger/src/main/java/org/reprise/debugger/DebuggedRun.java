package org.reprise.debugger;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.reprise.causality.EventGraph;
import org.reprise.debugger.hold.CallIndex;
import org.reprise.recovery.Timeline;
import org.reprise.trace.Location;

/** What the debugger knows of a run before it starts it: its events, their order, their places. */
public interface DebuggedRun {
  /**
   * A place of the program where a receive races.
   *
   * @param receive the event: before it takes its message is where to stop
   * @param text in one line
   */
  record Race(int receive, String text) {}

  String name();

  EventGraph graph();

  /** When its calls were entered and left. */
  Timeline timeline();

  CallIndex calls(int rank);

  /** The name of an event's call: {@code MPI_Recv}. */
  String call(int event);

  /** The call that a rank was in when the recording ended, which is no event; empty if none. */
  Optional<String> unfinishedCall(int rank);

  /** Where in the source an event's call is. */
  Optional<Location> place(int event);

  /** An event in one line, with its peer and its place. */
  String words(int event);

  /** The races of the run, as {@code reprise races} lists them. */
  List<Race> races();

  /** Ranks that ended by a signal when they were recorded: gdb is to be there before. */
  Set<Integer> crashed();

  /** How long the recorded run took from MPI_Init to an event of a rank. */
  Duration until(int rank, int event);
}
