package programs;

import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;

/** A program of somebody else's, which waits for what never comes. */
public final class Stuck {
  public static void run(int rank) {
    Fabric mpi = CurrentRank.fabric();
    mpi.receive(mpi.world(), 1 - rank, 7, null); // Line 10 is where it waits.
  }

  private Stuck() {}
}
