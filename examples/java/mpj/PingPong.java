import mpi.*;

/** Rank 0 plays with each of the others in turn. */
public class PingPong {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] ball = new int[1];
    if (rank == 0) {
      for (int partner = 1; partner < size; partner++) {
        for (int i = 0; i < 5; i++) {
          MPI.COMM_WORLD.Ssend(ball, 0, 1, MPI.INT, partner, i);
          MPI.COMM_WORLD.Recv(ball, 0, 1, MPI.INT, partner, i);
        }
      }
      System.out.println("the ball was hit " + ball[0] + " times");
    } else {
      for (int i = 0; i < 5; i++) {
        MPI.COMM_WORLD.Recv(ball, 0, 1, MPI.INT, 0, i);
        ball[0]++;
        MPI.COMM_WORLD.Send(ball, 0, 1, MPI.INT, 0, i);
      }
    }
    MPI.Finalize();
  }
}
