import mpi.*;

/** Numbers run through a pipeline of ranks, each of which adds its own and tells the last one by an empty message. */
public class Pipeline {
  private static final int ITEM = 1;
  private static final int END = 2;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    Comm world = MPI.COMM_WORLD;
    int me = world.Rank();
    int last = world.Size() - 1;
    int[] item = new int[1];
    long sum = 0;
    int items = 0;
    if (me == 0) {
      for (int i = 1; i <= 20; i++) {
        item[0] = i * i;
        if (last > 0) {
          world.Send(item, 0, 1, MPI.INT, 1, ITEM);
        } else {
          sum += item[0];
          items++;
        }
      }
      if (last > 0) {
        world.Send(item, 0, 0, MPI.INT, 1, END);
      }
    } else {
      Status status = world.Recv(item, 0, 1, MPI.INT, me - 1, MPI.ANY_TAG);
      while (status.tag == ITEM) {
        item[0] += me;
        if (me < last) {
          world.Send(item, 0, 1, MPI.INT, me + 1, ITEM);
        }
        sum += item[0];
        items++;
        status = world.Recv(item, 0, 1, MPI.INT, me - 1, MPI.ANY_TAG);
      }
      if (me < last) {
        world.Send(item, 0, status.Get_count(MPI.INT), MPI.INT, me + 1, END);
      }
    }
    if (me == last) {
      System.out.println(items + " items, sum " + sum);
    }
    MPI.Finalize();
  }
}
