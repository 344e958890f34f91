import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.*;

/** Every form of messages and requests, into arrays, heap buffers and direct ones. 2 ranks or more. */
public class MessageForms {
  private static int me;

  public static void main(String[] args) throws MPIException {
    check(MPI.InitThread(args, MPI.THREAD_SINGLE) >= MPI.THREAD_SINGLE, "level");
    check(MPI.isInitialized() && !MPI.isFinalized() && MPI.isThreadMain(), "begun");
    Intracomm world = MPI.COMM_WORLD;
    me = world.getRank();
    if (me == 0) {
      sender(world);
    } else if (me == 1) {
      receiver(world);
    }
    world.barrier();
    toMyself(MPI.COMM_SELF);
    structs();
    types();
    errors(world);
    if (me == 0) {
      System.out.println("MessageForms: ok");
    }
    MPI.Finalize();
    check(MPI.isInitialized() && MPI.isFinalized(), "ended");
  }

  private interface Wrong {
    void call() throws MPIException;
  }

  private static void errors(Intracomm world) throws MPIException {
    int[] a = new int[2];
    requireClass(MPI.ERR_RANK, () -> world.send(a, 2, MPI.INT, world.getSize(), 0));
    requireClass(MPI.ERR_TAG, () -> world.send(a, 2, MPI.INT, 0, -7));
    requireClass(MPI.ERR_COUNT, () -> world.recv(a, -1, MPI.INT, 0, 0));
    requireClass(MPI.ERR_TYPE, () -> world.recv(a, 1, null, 0, 0));
    requireClass(MPI.ERR_TYPE, () -> world.allGather(a, 1, null));
    requireClass(MPI.ERR_BUFFER, () -> world.send(null, 1, MPI.INT, 0, 0));
    requireClass(MPI.ERR_ROOT, () -> world.bcast(a, 1, MPI.INT, world.getSize()));
    requireClass(MPI.ERR_COMM, () -> MPI.COMM_NULL.send(a, 1, MPI.INT, 0, 0));
  }

  private static void requireClass(int errorClass, Wrong wrong) throws MPIException {
    try {
      wrong.call();
    } catch (MPIException e) {
      check(e.getErrorClass() == errorClass, errorClass + " expected: " + e);
      return;
    }
    check(false, "no error of class " + errorClass);
  }

  private static void sender(Intracomm world) throws MPIException {
    int[] data = {1, 2, 3, 4};
    world.send(data, 4, MPI.INT, 1, 1);
    world.sSend(MPI.slice(data, 2), 2, MPI.INT, 1, 2);
    IntBuffer direct = MPI.newIntBuffer(4).put(0, data);
    direct.position(3);
    world.send(direct, 4, MPI.INT, 1, 3);
    Request[] requests = {
      world.iSend(MPI.slice(direct, 1), 3, MPI.INT, 1, 4),
      world.isSend(direct, 1, MPI.INT, 1, 5),
      MPI.REQUEST_NULL
    };
    Status[] statuses = Request.waitAllStatus(requests);
    check(statuses.length == 3 && requests[0].isNull(), "waitAllStatus");
    check(Request.waitSome(requests) == null, "waitSome of none");
    check(Request.waitAny(requests) == MPI.UNDEFINED, "waitAny of none");
    check(Request.testAll(requests), "testAll of none");
    Prequest again = world.sendInit(direct, 1, MPI.INT, 1, 6);
    for (int i = 0; i < 3; i++) {
      direct.put(0, 50 + i);
      again.start();
      again.waitFor();
      check(!again.isNull(), "can be started again");
    }
    again.free();
    check(again.isNull(), "freed");
  }

  private static void receiver(Intracomm world) throws MPIException {
    int[] data = new int[6];
    Status status = world.recv(data, 6, MPI.INT, MPI.ANY_SOURCE, 1);
    check(status.getSource() == 0 && status.getTag() == 1 && status.getError() == 0, "status");
    check(status.getCount(MPI.INT) == 4 && status.getElements(MPI.INT) == 4, "count");
    check(Arrays.equals(data, new int[] {1, 2, 3, 4, 0, 0}), "data");
    world.recv(IntBuffer.wrap(data, 1, 2).slice(), 2, MPI.INT, 0, 2);
    check(Arrays.equals(data, new int[] {1, 3, 4, 4, 0, 0}), "into a heap buffer's slice");
    ByteBuffer bytes = MPI.newByteBuffer(16);
    world.recv(bytes, 4, MPI.INT, 0, 3);
    check(bytes.getInt(12) == 4, "ints in a buffer of bytes");
    IntBuffer direct = MPI.newIntBuffer(3);
    Request[] requests = {
      world.iRecv(direct, 3, MPI.INT, 0, 4), world.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 5)
    };
    int first = Request.waitAny(requests);
    int[] rest = Request.waitSome(requests);
    check(rest.length == 1 && rest[0] == 1 - first, "waitSome");
    check(direct.get(0) == 2 && direct.get(2) == 4, "iRecv");
    IntBuffer one = MPI.newIntBuffer(1);
    Prequest again = world.recvInit(one, 1, MPI.INT, 0, 6);
    for (int i = 0; i < 3; i++) {
      Prequest.startAll(new Prequest[] {again});
      Status got = again.waitStatus();
      check(got.getCount(MPI.INT) == 1 && one.get(0) == 50 + i, "recvInit");
    }
    Request never = world.iRecv(one, 1, MPI.INT, 0, 99);
    never.cancel();
    check(never.waitStatus().isCancelled(), "cancelled");
    try {
      world.iRecv(IntBuffer.allocate(1), 1, MPI.INT, 0, 0);
      check(false, "a heap buffer");
    } catch (MPIException e) {
      check(e.getMessage().contains("the buffer must be direct"), e.getMessage());
    }
  }

  private static void toMyself(Intracomm self) throws MPIException {
    DoubleBuffer buffer = MPI.newDoubleBuffer(2).put(0, 0.5);
    self.sendRecv(buffer, 1, MPI.DOUBLE, 0, 0, MPI.slice(buffer, 1), 1, MPI.DOUBLE, 0, 0);
    check(buffer.get(1) == 0.5, "sendRecv");
    Request sent = self.iSend(buffer, 2, MPI.DOUBLE, 0, 3);
    Message message = new Message();
    check(message.isNull(), "no message yet");
    Status found = null;
    while (found == null) {
      found = message.imProbe(MPI.ANY_SOURCE, MPI.ANY_TAG, self);
    }
    check(found.getCount(MPI.DOUBLE) == 2 && !message.isNull(), "imProbe");
    DoubleBuffer copy = MPI.newDoubleBuffer(2);
    Request taken = message.imRecv(copy, 2, MPI.DOUBLE);
    check(taken.waitStatus().getTag() == 3 && copy.get(1) == 0.5, "imRecv");
    sent.waitFor();
    check(self.iProbe(MPI.ANY_SOURCE, MPI.ANY_TAG) == null, "nothing is left");
  }

  private static void structs() throws MPIException {
    check(MPI.doubleInt.getExtent() == 16 && MPI.shortInt.getExtent() == 8, "padding");
    check(MPI.DOUBLE_INT.getSize() == 12 && MPI.DOUBLE_INT.getExtent() == 16, "pairs");
    ByteBuffer pair = MPI.newByteBuffer(16);
    ShortInt.Data data = MPI.shortInt.getData(pair, 1);
    data.putValue((short) -7);
    data.putIndex(9);
    check(pair.getShort(8) == -7 && pair.getInt(12) == 9, "fields");
    ShortInt.Data alone = MPI.shortInt.getData(data.getBuffer());
    check(alone.getIndex() == 9, "its own buffer");
    try {
      MPI.COMM_SELF.allReduce(pair, 1, MPI.SHORT_INT, MPI.SUM);
      check(false, "a sum of pairs");
    } catch (MPIException e) {
      check(e.getMessage().contains("MPI.SUM is not defined for a struct"), e.getMessage());
    }
  }

  private static void types() throws MPIException {
    Datatype vector = Datatype.createVector(2, 3, 5, MPI.DOUBLE);
    check(vector.getSize() == 6 && vector.getExtent() == 8 && vector.getLb() == 0, "vector");
    Datatype wide = Datatype.createResized(vector, 0, 80);
    check(wide.getExtent() == 10 && wide.getTrueExtent() == 8, "resized");
    Datatype indexed = Datatype.createHIndexed(new int[] {1, 1}, new int[] {8, 0}, MPI.INT);
    int[] data = {1, 2, 3};
    int[] got = new int[2];
    MPI.COMM_SELF.sendRecv(data, 1, indexed, 0, 0, got, 2, MPI.INT, 0, 0);
    check(got[0] == 3 && got[1] == 1, "in the order of the type map");
    check(MPI.DATATYPE_NULL.isNull() && !MPI.INT.isNull(), "null");
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError("rank " + me + ": " + what);
    }
  }
}
