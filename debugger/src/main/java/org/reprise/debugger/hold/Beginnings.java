package org.reprise.debugger.hold;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.reprise.launch.mpi.HeldCommand;

/** Where ranks begin that cannot get to their stops from where they are. */
public interface Beginnings extends AutoCloseable {
  /**
   * The last places from which ranks get to their stops.
   *
   * @param near none is behind these
   * @param until where they are to get to
   */
  List<Stop> places(List<Stop> near, List<Stop> until);

  /** Starts ranks, which will be held at these places: the last that were asked for. */
  HeldJob begin(List<Stop> places, Bell bell);

  /** Whether the ranks that began last can go on to these stops. */
  default boolean lasts(List<Stop> until) {
    return true;
  }

  /** Whether ranks that are here had better begin elsewhere, though they could go on. */
  default boolean isBetterThan(List<RankState> here, List<Stop> stops) {
    return false;
  }

  /** Whether the last ones that began failed, and others are to be tried. */
  default boolean hasFailed() {
    return false;
  }

  @Override
  default void close() {}

  /** At the start, with a new replay. */
  static Beginnings atTheStart(HeldCommand command, Consumer<String> printed) {
    int ranks = command.recorded().ranks();
    return new Beginnings() {
      @Override
      public List<Stop> places(List<Stop> near, List<Stop> until) {
        return Collections.nCopies(ranks, Stop.BEGINNING);
      }

      @Override
      public HeldJob begin(List<Stop> places, Bell bell) {
        return HeldJob.start(
            control -> JobProcesses.of(command.start(control, printed)), places, bell);
      }
    };
  }
}
