import java.nio.IntBuffer;
import mpi.*;

/** Answers are used in the order in which they come, whoever is first. */
public class WaitAny {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    int rank = world.getRank();
    int size = world.getSize();
    if (rank > 0) {
      world.sSend(new int[] {rank * 11}, 1, MPI.INT, 0, rank);
    } else {
      IntBuffer answers = MPI.newIntBuffer(size);
      Request[] requests = new Request[size - 1];
      for (int i = 1; i < size; i++) {
        requests[i - 1] = world.iRecv(MPI.slice(answers, i), 1, MPI.INT, i, MPI.ANY_TAG);
      }
      Status first = Request.waitAnyStatus(requests);
      int sum = answers.get(first.getIndex() + 1) == 11 * first.getTag() ? 1 : 0;
      int left = size - 2;
      while (left > 0) {
        int[] done = Request.waitSome(requests);
        for (int index : done) {
          sum += answers.get(index + 1) == 11 * (index + 1) ? 1 : 0;
        }
        left -= done.length;
      }
      System.out.println(sum + " right answers, then " + Request.waitAny(requests));
    }
    MPI.Finalize();
  }
}
