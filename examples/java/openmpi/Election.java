import mpi.*;

/** Ranks in a ring elect the one with the largest number: each passes on what is larger than its own. */
public class Election {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int me = world.getRank();
    int size = world.getSize();
    int own = (me * 7 + 3) % 11 * 100 + me;
    int next = (me + 1) % size;
    int before = (me + size - 1) % size;
    int[] candidate = {own};
    int passed = 0;
    int leader = -1;
    world.send(candidate, 1, MPI.INT, next, 0);
    while (leader < 0) {
      Status status = world.recv(candidate, 1, MPI.INT, before, MPI.ANY_TAG);
      if (status.getTag() == 1) {
        leader = candidate[0];
        if (leader % 100 != next) {
          world.send(candidate, 1, MPI.INT, next, 1);
        }
      } else if (candidate[0] > own) {
        world.send(candidate, 1, MPI.INT, next, 0);
        passed++;
      } else if (candidate[0] == own) {
        leader = own;
        if (size > 1) {
          world.send(candidate, 1, MPI.INT, next, 1);
        }
      }
    }
    int[] all = {passed};
    world.allReduce(all, 1, MPI.INT, MPI.SUM);
    if (me == 0) {
      System.out.println("rank " + leader % 100 + " leads, " + all[0] + " numbers were passed on");
    }
    MPI.Finalize();
  }
}
