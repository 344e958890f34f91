import java.math.BigInteger;
import mpi.*;

/** Collective calls on objects, whose lengths differ. */
public class ObjectCollectives {
  static int me;
  static int size;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    me = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    Object[] box = {me == 1 ? words(1) : null};
    MPI.COMM_WORLD.Bcast(box, 0, 1, MPI.OBJECT, 1);
    check(box[0].equals(words(1)), "bcast");

    Object[] all = new Object[size];
    MPI.COMM_WORLD.Gather(new Object[] {words(me)}, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT, 0);
    for (int r = 0; me == 0 && r < size; r++) {
      check(all[r].equals(words(r)), "gather of " + r);
    }
    Object[] mine = new Object[1];
    MPI.COMM_WORLD.Scatter(all, 0, 1, MPI.OBJECT, mine, 0, 1, MPI.OBJECT, 0);
    check(mine[0].equals(words(me)), "scatter");
    all = new Object[size];
    MPI.COMM_WORLD.Allgather(mine, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
    check(all[size - 1].equals(words(size - 1)), "allgather");

    Object[] out = new Object[size];
    Object[] in = new Object[size];
    for (int r = 0; r < size; r++) {
      out[r] = me + " to " + r;
    }
    MPI.COMM_WORLD.Alltoall(out, 0, 1, MPI.OBJECT, in, 0, 1, MPI.OBJECT);
    for (int r = 0; r < size; r++) {
      check(in[r].equals(r + " to " + me), "alltoall from " + r);
    }

    Object[] sum = new Object[1];
    Object[] number = {BigInteger.TEN.pow(me)};
    MPI.COMM_WORLD.Allreduce(number, 0, sum, 0, 1, MPI.OBJECT, new Op(new Add(), true));
    check(sum[0].toString().equals("1111111111".substring(0, size)), "allreduce " + sum[0]);
    sum[0] = null;
    MPI.COMM_WORLD.Reduce(number, 0, sum, 0, 1, MPI.OBJECT, new Op(new Add(), true), 0);
    check(me != 0 || sum[0].toString().equals("1111111111".substring(0, size)), "reduce");
    MPI.COMM_WORLD.Scan(number, 0, sum, 0, 1, MPI.OBJECT, new Op(new Add(), true));
    check(sum[0].toString().equals("1111111111".substring(0, me + 1)), "scan " + sum[0]);
    MPI.COMM_WORLD.Barrier();
    if (me == 0) {
      System.out.println("ObjectCollectives: ok");
    }
    MPI.Finalize();
  }

  static class Add extends User_function {
    public void Call(
        Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
      for (int i = 0; i < count; i++) {
        BigInteger a = (BigInteger) ((Object[]) in)[inAt + i];
        BigInteger b = (BigInteger) ((Object[]) inout)[inoutAt + i];
        ((Object[]) inout)[inoutAt + i] = a.add(b);
      }
    }
  }

  static String words(int n) {
    StringBuilder text = new StringBuilder("rank " + n);
    for (int i = 0; i < 100 * n; i++) {
      text.append(" and").append(i);
    }
    return text.toString();
  }

  static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError(what);
    }
  }
}
