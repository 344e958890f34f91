import mpi.*;

/** Workers ask for work; the master probes to see how long each answer is. */
public class Farm {
  private static final int ANSWER = 1;
  private static final int WORK = 2;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    if (MPI.COMM_WORLD.Rank() == 0) {
      int next = 2;
      int divisors = 0;
      for (int workers = MPI.COMM_WORLD.Size() - 1; workers > 0; ) {
        Status waiting = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, ANSWER);
        int[] answer = new int[waiting.Get_count(MPI.INT)];
        MPI.COMM_WORLD.Recv(answer, 0, answer.length, MPI.INT, waiting.source, ANSWER);
        divisors += answer.length;
        int[] task = {next <= 30 ? next++ : 0};
        workers -= task[0] == 0 ? 1 : 0;
        MPI.COMM_WORLD.Send(task, 0, 1, MPI.INT, waiting.source, WORK);
      }
      System.out.println("divisors of 2 to 30: " + divisors);
    } else {
      int[] task = new int[1];
      int[] answer = {};
      do {
        MPI.COMM_WORLD.Send(answer, 0, answer.length, MPI.INT, 0, ANSWER);
        MPI.COMM_WORLD.Recv(task, 0, 1, MPI.INT, 0, WORK);
        int number = task[0];
        answer = java.util.stream.IntStream.rangeClosed(1, number)
            .filter(d -> number % d == 0)
            .toArray();
      } while (task[0] > 0);
    }
    MPI.Finalize();
  }
}
