import mpi.*;

/** A probe takes a message for good: another receive of the same pattern gets the next one. */
public class MatchedProbe {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int last = world.getSize() - 1;
    if (rank == last) {
      world.send(new double[] {1, 2, 3}, 3, MPI.DOUBLE, 0, 1);
      world.send(new double[] {4}, 1, MPI.DOUBLE, 0, 1);
    } else if (rank == 0) {
      Message message = new Message();
      Status found = message.mProbe(last, 1, world);
      double[] second = new double[1];
      world.recv(second, 1, MPI.DOUBLE, last, 1);
      double[] first = new double[found.getCount(MPI.DOUBLE)];
      Status got = message.mRecv(first, first.length, MPI.DOUBLE);
      Status none = message.imProbe(last, 1, world);
      System.out.println(
          first[2] + " from rank " + (got.getSource() == last ? "last" : "?") + ", then "
              + second[0] + ", then " + none);
    }
    MPI.Finalize();
  }
}
