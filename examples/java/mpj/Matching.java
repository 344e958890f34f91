import mpi.*;

/** Answers in the order in which they come: Waitany and Waitsome. */
public class Matching {
  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    if (rank == 0) {
      int[] answers = new int[size];
      Request[] requests = new Request[size - 1];
      for (int i = 1; i < size; i++) {
        requests[i - 1] = MPI.COMM_WORLD.Irecv(answers, i, 1, MPI.INT, i, 3);
      }
      Status first = Request.Waitany(requests);
      int done = 1;
      int right = answers[first.index + 1] == first.source ? 1 : 0;
      while (done < size - 1) {
        for (Status status : Request.Waitsome(requests)) {
          right += answers[status.index + 1] == status.source ? 1 : 0;
          done++;
        }
      }
      System.out.println(right + " of " + (size - 1) + " right");
    } else {
      MPI.COMM_WORLD.Rsend(new int[] {rank}, 0, 0, MPI.INT, MPI.PROC_NULL, 0);
      MPI.COMM_WORLD.Send(new int[] {rank}, 0, 1, MPI.INT, 0, 3);
    }
    MPI.Finalize();
  }
}
