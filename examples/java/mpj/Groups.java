import mpi.*;

/** A group without its first rank gets a communicator of its own. */
public class Groups {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    Group world = MPI.COMM_WORLD.Group();
    Group workers = world.Excl(new int[] {0});
    Intracomm comm = MPI.COMM_WORLD.Create(workers);
    int[] got = new int[1];
    if (rank > 0) {
      comm.Allreduce(new int[] {comm.Rank()}, 0, got, 0, 1, MPI.INT, MPI.SUM);
    }
    int[] most = new int[1];
    MPI.COMM_WORLD.Reduce(got, 0, most, 0, 1, MPI.INT, MPI.MAX, 0);
    if (rank == 0) {
      int[] there = Group.Translate_ranks(world, new int[] {0, 1}, workers);
      System.out.println(
          workers.Size() + " workers, sum " + most[0] + ", rank 1 is " + there[1] + " there, "
              + (there[0] == MPI.UNDEFINED ? "rank 0 is not" : "rank 0 is"));
    }
    MPI.Finalize();
  }
}
