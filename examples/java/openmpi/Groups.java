import mpi.*;

/** Even and odd ranks get communicators of their own, made of groups. */
public class Groups {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    Group all = world.getGroup();
    Group even = all.rangeIncl(new int[][] {{0, world.getSize() - 1, 2}});
    Group odd = Group.difference(all, even);
    if (Group.compare(Group.union(even, odd), all) == MPI.UNEQUAL) {
      throw new IllegalStateException("a rank was lost");
    }
    Intracomm evens = world.create(even);
    Intracomm odds = world.create(odd);
    Intracomm mine = evens.isNull() ? odds : evens;
    int[] sum = {rank};
    mine.allReduce(sum, 1, MPI.INT, MPI.SUM);
    int[] there = Group.translateRanks(mine.getGroup(), new int[] {mine.getRank()}, all);
    int[] facts = {there[0] == rank ? 0 : 1, mine.getRank() == 0 ? sum[0] : 0};
    world.reduce(facts, 2, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println("sum " + facts[1] + ", wrong translations " + facts[0]);
    }
    mine.free();
    MPI.Finalize();
  }
}
