import mpi.*;

/** Teams by color, turned around by the key. */
public class SplitTeams {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    Intracomm team = MPI.COMM_WORLD.Split(rank % 2, size - rank);
    int[] members = new int[team.Size()];
    team.Allgather(new int[] {rank}, 0, 1, MPI.INT, members, 0, 1, MPI.INT);
    int[] captain = {members[0], team.Rank()};
    int[] all = new int[2 * size];
    MPI.COMM_WORLD.Gather(captain, 0, 2, MPI.INT, all, 0, 2, MPI.INT, 0);
    if (rank == 0) {
      System.out.println("captain and place of each: " + java.util.Arrays.toString(all));
    }
    team.Free();
    MPI.Finalize();
  }
}
