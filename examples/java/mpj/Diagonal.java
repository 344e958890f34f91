import mpi.*;

/** Diagonal and columns of a matrix are types with gaps. */
public class Diagonal {
  private static final int N = 5;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int last = MPI.COMM_WORLD.Size() - 1;
    Datatype diagonal = Datatype.Vector(N, 1, N + 1, MPI.INT);
    int[] lengths = {1, 2, 2};
    int[] places = {0, 5, 10};
    Datatype corner = Datatype.Indexed(lengths, places, MPI.INT);
    diagonal.Commit();
    corner.Commit();
    int[] matrix = new int[N * N];
    if (rank == 0) {
      for (int i = 0; i < N * N; i++) {
        matrix[i] = i;
      }
      MPI.COMM_WORLD.Send(matrix, 0, 1, diagonal, last, 0);
      MPI.COMM_WORLD.Send(matrix, 0, 1, corner, last, 1);
    }
    if (rank == last) {
      int[] line = new int[N];
      MPI.COMM_WORLD.Recv(line, 0, N, MPI.INT, 0, 0);
      Status status = MPI.COMM_WORLD.Recv(matrix, 0, 1, corner, 0, 1);
      System.out.println(
          java.util.Arrays.toString(line) + ", corner of " + status.Get_elements(corner) + ", "
              + (matrix[11] + matrix[6]));
    }
    MPI.Finalize();
  }
}
