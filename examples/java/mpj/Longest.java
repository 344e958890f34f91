import mpi.*;

/** The longest word, as a reduction of objects with a function of the program's own. */
public class Longest {
  /** The longer one; of two that are as long, the first in the alphabet. */
  private static class Longer extends User_function {
    @Override
    public void Call(Object in, int inAt, Object inOut, int at, int count, Datatype type) {
      for (int i = 0; i < count; i++) {
        String a = (String) ((Object[]) in)[inAt + i];
        String b = (String) ((Object[]) inOut)[at + i];
        boolean first = a.length() > b.length() || (a.length() == b.length() && a.compareTo(b) < 0);
        ((Object[]) inOut)[at + i] = first ? a : b;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    String[] words = {"message", "passing", "in", "parallel", "programs"};
    Object[] mine = {words[rank % words.length]};
    Object[] longest = new Object[1];
    Op longer = new Op(new Longer(), true);
    MPI.COMM_WORLD.Reduce(mine, 0, longest, 0, 1, MPI.OBJECT, longer, 0);
    if (rank == 0) {
      System.out.println(longest[0]);
    }
    MPI.Finalize();
  }
}
