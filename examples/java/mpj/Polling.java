import mpi.*;

/** Works while it waits: Test and Iprobe instead of Wait and Probe. */
public class Polling {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    if (rank == 0) {
      long[] answer = new long[1];
      Request request = MPI.COMM_WORLD.Irecv(answer, 0, 1, MPI.LONG, size - 1, 1);
      while (request.Test() == null) {
        Thread.yield();
      }
      Status found = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 2);
      while (found == null) {
        Thread.yield();
        found = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 2);
      }
      byte[] text = new byte[found.Get_count(MPI.BYTE)];
      MPI.COMM_WORLD.Recv(text, 0, text.length, MPI.BYTE, found.source, 2);
      System.out.println(answer[0] + " " + new String(text, "US-ASCII"));
    } else if (rank == size - 1) {
      MPI.COMM_WORLD.Send(new long[] {1L << 40}, 0, 1, MPI.LONG, 0, 1);
      byte[] text = "found".getBytes("US-ASCII");
      MPI.COMM_WORLD.Send(text, 0, text.length, MPI.BYTE, 0, 2);
    }
    MPI.Finalize();
  }
}
