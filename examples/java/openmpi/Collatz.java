import mpi.*;

/** The longest Collatz sequence: a master hands out ranges, and workers ask for more with what they found. */
public class Collatz {
  private static final int LIMIT = 3000;
  private static final int RANGE = 250;
  private static final int WORK = 1;
  private static final int STOP = 2;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    if (world.getSize() == 1) {
      int[] best = search(1, LIMIT);
      System.out.println("longest below " + LIMIT + ": " + best[0] + " with " + best[1] + " steps");
    } else if (world.getRank() == 0) {
      master(world);
    } else {
      worker(world);
    }
    MPI.Finalize();
  }

  private static void master(Intracomm world) throws MPIException {
    int[] best = {1, 0};
    int[] found = new int[2];
    int next = 1;
    int working = world.getSize() - 1;
    while (working > 0) {
      Status asked = world.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
      world.recv(found, asked.getCount(MPI.INT), MPI.INT, asked.getSource(), asked.getTag());
      if (found[1] > best[1] || (found[1] == best[1] && found[0] < best[0])) {
        best = found.clone();
      }
      boolean more = next < LIMIT;
      int[] range = {next, Math.min(LIMIT, next + RANGE)};
      world.send(range, more ? 2 : 0, MPI.INT, asked.getSource(), more ? WORK : STOP);
      next += RANGE;
      working -= more ? 0 : 1;
    }
    System.out.println("longest below " + LIMIT + ": " + best[0] + " with " + best[1] + " steps");
  }

  private static void worker(Intracomm world) throws MPIException {
    int[] best = {1, 0};
    int[] range = new int[2];
    while (true) {
      world.send(best, 2, MPI.INT, 0, WORK);
      if (world.recv(range, 2, MPI.INT, 0, MPI.ANY_TAG).getTag() == STOP) {
        return;
      }
      best = search(range[0], range[1]);
    }
  }

  private static int[] search(int from, int to) {
    int[] best = {from, 0};
    for (int start = from; start < to; start++) {
      int steps = 0;
      for (long n = start; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) {
        steps++;
      }
      if (steps > best[1]) {
        best = new int[] {start, steps};
      }
    }
    return best;
  }
}
