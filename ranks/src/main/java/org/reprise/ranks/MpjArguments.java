package org.reprise.ranks;

import java.util.Arrays;
import java.util.List;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CurrentRank;

/**
 * The three arguments that MPJ Express's launcher puts before a program's own, and MPI.Init takes
 * away again: the rank, the number of ranks, and the device. Programs that read their own from the
 * fourth on need them.
 */
public final class MpjArguments {
  /** The device of MPJ Express that runs ranks in one JVM. */
  private static final String DEVICE = "smpdev";

  /** Those of the calling thread's rank. */
  public static List<String> ofThisRank() {
    Communicator world = CurrentRank.fabric().world();
    return List.of(String.valueOf(world.rank()), String.valueOf(world.size()), DEVICE);
  }

  /** The program's own arguments: without these three, if they are there. */
  public static String[] without(String[] arguments) {
    List<String> three = ofThisRank();
    int count = three.size();
    return arguments.length >= count && Arrays.asList(arguments).subList(0, count).equals(three)
        ? Arrays.copyOfRange(arguments, count, arguments.length)
        : arguments;
  }

  private MpjArguments() {}
}
