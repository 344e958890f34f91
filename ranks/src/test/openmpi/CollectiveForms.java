import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.*;

/** Every form of the collective calls: with two buffers, in place, and without waiting. Any number of ranks. */
public class CollectiveForms {
  private static int me;
  private static int n;

  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    Intracomm world = MPI.COMM_WORLD;
    me = world.getRank();
    n = world.getSize();
    gathers(world);
    scatters(world);
    everybody(world);
    reductions(world);
    withGaps(world);
    Request none = world.iBarrier();
    check(!none.isNull(), "active");
    none.waitFor();
    check(none.isNull(), "done");
    if (me == 0) {
      System.out.println("CollectiveForms: ok");
    }
    MPI.Finalize();
  }

  private static int[] sequence(int length, int first) {
    int[] numbers = new int[length];
    Arrays.setAll(numbers, i -> first + i);
    return numbers;
  }

  private static IntBuffer direct(int... numbers) {
    return MPI.newIntBuffer(numbers.length).put(0, numbers);
  }

  private static int[] content(IntBuffer buffer) {
    int[] numbers = new int[buffer.capacity()];
    buffer.get(0, numbers);
    return numbers;
  }

  /** Counts 1, 2, 3 ... and a gap of one before each part. */
  private static int[] counts() {
    return sequence(n, 1);
  }

  private static int[] gaps() {
    int[] starts = new int[n];
    for (int i = 0, next = 1; i < n; i++) {
      starts[i] = next;
      next += i + 2;
    }
    return starts;
  }

  private static int[] gapped() {
    int[] all = new int[gaps()[n - 1] + n];
    for (int i = 0; i < n; i++) {
      Arrays.fill(all, gaps()[i], gaps()[i] + i + 1, i);
    }
    for (int i = 0; i < n; i++) {
      all[gaps()[i] - 1] = -1;
    }
    return all;
  }

  private static int[] emptyWithGaps() {
    int[] all = new int[gapped().length];
    for (int i = 0; i < n; i++) {
      all[gaps()[i] - 1] = -1;
    }
    return all;
  }

  private static int[] own() {
    int[] mine = new int[me + 1];
    Arrays.fill(mine, me);
    return mine;
  }

  private static void gathers(Intracomm world) throws MPIException {
    int root = n - 1;
    int[] all = new int[n];
    world.gather(new int[] {me}, 1, MPI.INT, all, 1, MPI.INT, root);
    check(me != root || Arrays.equals(all, sequence(n, 0)), "gather");
    int[] place = new int[n];
    place[me == root ? me : 0] = me;
    world.gather(place, 1, MPI.INT, root);
    check(me != root || Arrays.equals(place, sequence(n, 0)), "gather in place");
    IntBuffer direct = MPI.newIntBuffer(n);
    world.iGather(direct(me), 1, MPI.INT, direct, 1, MPI.INT, root).waitStatus();
    check(me != root || Arrays.equals(content(direct), sequence(n, 0)), "iGather");
    int[] parts = emptyWithGaps();
    world.gatherv(own(), me + 1, MPI.INT, parts, counts(), gaps(), MPI.INT, root);
    check(me != root || Arrays.equals(parts, gapped()), "gatherv");
    IntBuffer room = direct(emptyWithGaps());
    Request request;
    if (me == root) {
      room.put(gaps()[me], own());
      request = world.iGatherv(room, counts(), gaps(), MPI.INT, root);
    } else {
      request = world.iGatherv(direct(own()), me + 1, MPI.INT, root);
    }
    while (!request.test()) {
      Thread.yield();
    }
    check(me != root || Arrays.equals(content(room), gapped()), "iGatherv in place");
  }

  private static void scatters(Intracomm world) throws MPIException {
    int[] got = new int[1];
    world.scatter(sequence(n, 5), 1, MPI.INT, got, 1, MPI.INT, 0);
    check(got[0] == 5 + me, "scatter");
    int[] place = me == 0 ? sequence(n, 5) : new int[n];
    world.scatter(place, 1, MPI.INT, 0);
    check(place[0] == (me == 0 ? 5 : 5 + me), "scatter in place");
    int[] part = new int[me + 1];
    world.scatterv(gapped(), counts(), gaps(), MPI.INT, part, me + 1, MPI.INT, 0);
    check(Arrays.equals(part, own()), "scatterv");
    IntBuffer direct = MPI.newIntBuffer(me + 1);
    Request request =
        me == 0
            ? world.iScatterv(direct(gapped()), counts(), gaps(), MPI.INT, 0)
            : world.iScatterv(direct, me + 1, MPI.INT, 0);
    request.waitFor();
    check(me == 0 || Arrays.equals(content(direct), own()), "iScatterv in place");
    try {
      world.scatterv(part, me + 1, MPI.INT, me);
      check(false, "the root used the others' form");
    } catch (MPIException e) {
      check(e.getMessage().contains("this form is not the root's"), e.getMessage());
    }
  }

  private static void everybody(Intracomm world) throws MPIException {
    int[] place = new int[n];
    place[me] = me;
    world.allGather(place, 1, MPI.INT);
    check(Arrays.equals(place, sequence(n, 0)), "allGather in place");
    int[] parts = emptyWithGaps();
    world.allGatherv(own(), me + 1, MPI.INT, parts, counts(), gaps(), MPI.INT);
    check(Arrays.equals(parts, gapped()), "allGatherv");
    IntBuffer direct = direct(emptyWithGaps());
    direct.put(gaps()[me], own());
    world.iAllGatherv(direct, counts(), gaps(), MPI.INT).waitFor();
    check(Arrays.equals(content(direct), gapped()), "iAllGatherv in place");
    int[] one = new int[n];
    Arrays.fill(one, 1);
    int[] crossed = new int[n];
    world.allToAllv(
        sequence(n, 10 * me), one, sequence(n, 0), MPI.INT, crossed, one, sequence(n, 0), MPI.INT);
    for (int i = 0; i < n; i++) {
      check(crossed[i] == 10 * i + me, "allToAllv");
    }
  }

  private static void reductions(Intracomm world) throws MPIException {
    int sum = n * (n - 1) / 2;
    int[] place = {me};
    world.reduce(place, 1, MPI.INT, MPI.SUM, 0);
    check(me != 0 || place[0] == sum, "reduce in place");
    IntBuffer direct = direct(me);
    world.iReduce(direct, 1, MPI.INT, MPI.MAX, n - 1).waitFor();
    check(me != n - 1 || direct.get(0) == n - 1, "iReduce in place");
    int[] blocks = new int[n];
    Arrays.fill(blocks, me);
    world.reduceScatterBlock(blocks, 1, MPI.INT, MPI.SUM);
    check(blocks[0] == sum, "reduceScatterBlock in place");
    IntBuffer result = MPI.newIntBuffer(1);
    IntBuffer all = MPI.newIntBuffer(n);
    int[] one = new int[n];
    Arrays.fill(one, 1);
    for (int i = 0; i < n; i++) {
      all.put(i, i);
    }
    world.iReduceScatter(all, result, one, MPI.INT, MPI.SUM).waitFor();
    check(result.get(0) == n * me, "iReduceScatter");
    int[] untouched = {me == 0 ? 77 : 1};
    int[] before = {me == 0 ? 77 : -1};
    world.exScan(new int[] {1}, before, 1, MPI.INT, MPI.SUM);
    check(before[0] == (me == 0 ? 77 : me), "exScan leaves the first rank's result alone");
    IntBuffer scanned = direct(untouched);
    world.iExScan(direct(1), scanned, 1, MPI.INT, MPI.SUM).waitFor();
    check(scanned.get(0) == (me == 0 ? 77 : me), "iExScan too");
    int[] local = {5, 6};
    Comm.reduceLocal(new int[] {1, 2}, local, 2, MPI.INT, MPI.PROD);
    check(Arrays.equals(local, new int[] {5, 12}), "reduceLocal");
    Object[] words = {"b"};
    Op joined =
        new Op(
            new UserFunction() {
              @Override
              public void call(Object in, Object inOut, int count, Datatype type) {
                ((Object[]) inOut)[0] = ((Object[]) in)[0] + "" + ((Object[]) inOut)[0];
              }
            },
            false);
    Comm.reduceLocal(new Object[] {"a"}, words, 1, MPI.OBJECT, joined);
    check(words[0].equals("ab"), "reduceLocal of objects");
    UserFunction first =
        new UserFunction() {
          @Override
          public void call(
              java.nio.ByteBuffer in, java.nio.ByteBuffer inOut, int count, Datatype type) {
            inOut.putInt(0, in.getInt(0));
          }
        };
    IntBuffer own = direct(10 + me);
    world.iAllReduce(own, 1, MPI.INT, new Op(first, false)).waitFor();
    check(own.get(0) == 10, "a function on bytes, without waiting: " + own.get(0));
  }

  private static void withGaps(Intracomm world) throws MPIException {
    Datatype every = Datatype.createVector(2, 1, 2, MPI.INT);
    IntBuffer data = me == 0 ? direct(1, -1, 2, -1) : direct(0, -2, 0, -2);
    world.iBcast(data, 1, every, 0).waitFor();
    check(data.get(0) == 1 && data.get(2) == 2, "iBcast of a vector");
    check(data.get(1) == (me == 0 ? -1 : -2), "its gaps stay");
    Datatype bytes = Datatype.createHVector(2, 1, 6, MPI.SHORT);
    java.nio.ByteBuffer odd = MPI.newByteBuffer(8);
    if (me == 0) {
      odd.putShort(0, (short) 300).putShort(6, (short) -300);
    }
    world.bcast(odd, 1, bytes, 0);
    check(odd.getShort(0) == 300 && odd.getShort(6) == -300, "a stride in bytes");
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError("rank " + me + ": " + what);
    }
  }
}
