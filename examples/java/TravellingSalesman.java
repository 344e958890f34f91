/*
 * TravellingSalesman: a master hands out pieces of a search, and who searches what differs from run to run.
 *
 * The shortest way through all cities and back is sought by branch and bound. A piece of work is the beginning of a tour.
 * Rank 0 gives the next piece, with the best length so far, to whichever worker asks first (ANY_SOURCE). The shortest
 * length is the same in every order; which worker did how many pieces, and how many tours were looked at, is not.
 *
 *     reprise record -n 4 TravellingSalesman.java [cities]
 *     reprise replay
 */
import mpi.MPI;
import mpi.Status;

public class TravellingSalesman {
  private static final int ASK = 1;
  private static final int PIECE = 2;
  private static final int NO_MORE = 3;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int cities = args.length > 0 ? Integer.parseInt(args[0]) : 9;
    if (MPI.COMM_WORLD.Rank() == 0) {
      master(cities);
    } else {
      new Worker(cities).work();
    }
    MPI.Finalize();
  }

  /** Distances between points that depend on nothing but their numbers. */
  private static int[][] distances(int cities) {
    int[][] distance = new int[cities][cities];
    for (int a = 0; a < cities; a++) {
      for (int b = 0; b < cities; b++) {
        double dx = (a * 37 % 101) - (b * 37 % 101);
        double dy = (a * 71 % 97) - (b * 71 % 97);
        distance[a][b] = (int) Math.round(Math.sqrt(dx * dx + dy * dy));
      }
    }
    return distance;
  }

  private static void master(int cities) throws Exception {
    int workers = MPI.COMM_WORLD.Size() - 1;
    int[] piecesOf = new int[workers + 1];
    int best = Integer.MAX_VALUE;
    int next = 0;
    int pieces = (cities - 1) * (cities - 2);
    for (int busy = workers; busy > 0; ) {
      int[] found = new int[1];
      Status asking = MPI.COMM_WORLD.Recv(found, 0, 1, MPI.INT, MPI.ANY_SOURCE, ASK);
      best = Math.min(best, found[0]);
      if (next < pieces) {
        // The second and the third city of the tours in this piece, and the length to beat.
        int second = 1 + next / (cities - 2);
        int third = 1 + next % (cities - 2);
        third += third >= second ? 1 : 0;
        int[] piece = {second, third, best};
        MPI.COMM_WORLD.Send(piece, 0, 3, MPI.INT, asking.source, PIECE);
        piecesOf[asking.source]++;
        next++;
      } else {
        MPI.COMM_WORLD.Send(new int[3], 0, 3, MPI.INT, asking.source, NO_MORE);
        busy--;
      }
    }
    System.out.println("shortest tour: " + best);
    for (int worker = 1; worker <= workers; worker++) {
      System.out.println("worker " + worker + " searched " + piecesOf[worker] + " pieces");
    }
  }

  /** Searches pieces until there are no more. */
  private static final class Worker {
    private final int[][] distance;
    private final boolean[] visited;
    private int best = Integer.MAX_VALUE;

    Worker(int cities) {
      distance = distances(cities);
      visited = new boolean[cities];
    }

    void work() throws Exception {
      int[] piece = new int[3];
      while (true) {
        MPI.COMM_WORLD.Send(new int[] {best}, 0, 1, MPI.INT, 0, ASK);
        if (MPI.COMM_WORLD.Recv(piece, 0, 3, MPI.INT, 0, MPI.ANY_TAG).tag == NO_MORE) {
          return;
        }
        best = Math.min(best, piece[2]);
        visited[0] = visited[piece[0]] = visited[piece[1]] = true;
        search(piece[1], 3, distance[0][piece[0]] + distance[piece[0]][piece[1]]);
        visited[0] = visited[piece[0]] = visited[piece[1]] = false;
      }
    }

    private void search(int at, int count, int length) {
      if (length >= best) {
        return;
      }
      if (count == distance.length) {
        best = Math.min(best, length + distance[at][0]);
        return;
      }
      for (int city = 1; city < distance.length; city++) {
        if (!visited[city]) {
          visited[city] = true;
          search(city, count + 1, length + distance[at][city]);
          visited[city] = false;
        }
      }
    }
  }
}
