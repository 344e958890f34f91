import java.nio.file.Files;
import java.nio.file.Path;
import mpi.MPI;

/** A token goes round all ranks, then an Allreduce; rank 0 prints what memory the process has taken at most. */
public class RingAndSum {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int[] token = {0};
    if (rank > 0) {
      MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, rank - 1, 0);
      token[0]++;
    }
    MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, (rank + 1) % size, 0);
    if (rank == 0) {
      MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, size - 1, 0);
    }
    int[] sum = {0};
    MPI.COMM_WORLD.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    if (sum[0] != size || (rank == 0 && token[0] != size - 1)) {
      throw new IllegalStateException("sum " + sum[0] + ", token " + token[0]);
    }
    if (rank == 0) {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          System.out.println("peak kB " + line.replaceAll("[^0-9]", ""));
        }
      }
    }
    MPI.Finalize();
  }
}
