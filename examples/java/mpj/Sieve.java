import mpi.*;

/** Rank 0 tells everybody each prime; each strikes out multiples in its part. */
public class Sieve {
  private static final int LIMIT = 400;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int first = Math.max(2, LIMIT * rank / size);
    int end = LIMIT * (rank + 1) / size;
    boolean[] struck = new boolean[LIMIT];
    int[] prime = {2};
    while (prime[0] * prime[0] < LIMIT) {
      for (int n = prime[0] * prime[0]; n < LIMIT; n += prime[0]) {
        if (rank == 0 || (n >= first && n < end)) {
          struck[n] = true;
        }
      }
      if (rank == 0) {
        do {
          prime[0]++;
        } while (struck[prime[0]]);
      }
      MPI.COMM_WORLD.Bcast(prime, 0, 1, MPI.INT, 0);
    }
    int[] mine = new int[1];
    for (int n = first; n < end; n++) {
      mine[0] += struck[n] ? 0 : 1;
    }
    int[] all = new int[1];
    MPI.COMM_WORLD.Reduce(mine, 0, all, 0, 1, MPI.INT, MPI.SUM, 0);
    if (rank == 0) {
      System.out.println(all[0] + " primes below " + LIMIT);
    }
    MPI.Finalize();
  }
}
