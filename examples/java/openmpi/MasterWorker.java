import mpi.*;

/** The master gives the next number to whoever is done; a tag says what a message is. */
public class MasterWorker {
  private static final int WORK = 1;
  private static final int STOP = 2;
  private static final int TASKS = 20;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    if (MPI.COMM_WORLD.getRank() == 0) {
      master();
    } else {
      worker();
    }
    MPI.Finalize();
  }

  private static void master() throws MPIException {
    int workers = MPI.COMM_WORLD.getSize() - 1;
    int next = 1;
    long sum = 0;
    long[] result = new long[1];
    for (int busy = workers; busy > 0; ) {
      Status status =
          MPI.COMM_WORLD.recv(result, 1, MPI.LONG, MPI.ANY_SOURCE, MPI.ANY_TAG);
      sum += result[0];
      boolean more = next <= TASKS;
      MPI.COMM_WORLD.send(new int[] {next++}, 1, MPI.INT, status.getSource(), more ? WORK : STOP);
      busy -= more ? 0 : 1;
    }
    System.out.println("sum of squares up to " + TASKS + ": " + sum);
  }

  private static void worker() throws MPIException {
    int[] task = new int[1];
    long[] result = {0};
    Status status;
    do {
      MPI.COMM_WORLD.send(result, 1, MPI.LONG, 0, WORK);
      status = MPI.COMM_WORLD.recv(task, 1, MPI.INT, 0, MPI.ANY_TAG);
      result[0] = (long) task[0] * task[0];
    } while (status.getTag() == WORK);
  }
}
